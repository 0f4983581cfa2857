// What people type as names: counted as people count letters, and spelled as the server does.

import { data, say } from "./net.js";

const letters = new Intl.Segmenter();

/** A field that says when its name is too long; nothing that was pasted is cut off without a word. */
export function keepShort(field) {
  const judge = () => {
    const most = data.most_letters;
    const count = [...letters.segment(oneSpelling(field.value))].length;
    field.setCustomValidity(count > most ? say("name_long", most, count) : "");
  };
  field.addEventListener("input", judge);
  field.addEventListener("invalid", () => {
    for (let part = field.closest("details"); part; part = part.parentElement.closest("details")) part.open = true;
  });
  judge();
  return field;
}

/** Letters composed, and one space for spaces of every kind. */
export function oneSpelling(typed) {
  return typed.normalize("NFC").replace(/[\p{Zs}]+/gu, " ").trim();
}

// What lies in the middle of the table: figures that games are made of, and the import of each game's own.

import { make, say } from "./net.js";
import { GAMES } from "./games.js";

/** A figure with its name. */
export function labelled(name, ...children) {
  return make("figure", {}, make("figcaption", {}, name), ...children);
}

/** A figure whose cards took the round. */
export function marked(won, name, ...children) {
  return won
    ? make("figure", { class: "won" },
      make("figcaption", {}, name,
        make("strong", {}, " ★", make("span", { class: "hidden" }, ` ${say("wins")}`))), ...children)
    : labelled(name, ...children);
}

/** `match.middle` names cards by their codes; `face(code)` and `fixed` hold what is the same at every step. `choose`
 * is called for a place that is pressed; `may`: the places that the rules allow now, if that was asked. */
export function middleOf(match, choose, may) {
  return GAMES[match.game].middle(match, choose, may);
}

/** The seat that has laid a card of the middle. */
export function ownerOf(match, code) {
  const { lying = [], shown } = match?.middle ?? {};
  const place = lying.findIndex((entry) => (Array.isArray(entry) ? entry.includes(code) : entry.code === code));
  return lying[place]?.seat ?? (place >= 0 ? place : shown?.seats[0]);
}

/** The seat that takes it: who has won the round or the trick of that colour, or who was given it. */
export function takerOf(match, code) {
  const { lying = [], won, shown } = match?.middle ?? {};
  if (typeof won === "number") return won;
  return shown?.seats.at(-1) ?? lying.find((entry) => entry.won && entry.code[0] === code[0])?.seat;
}

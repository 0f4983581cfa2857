// Trumpf on the page: cards with values, the round, the pot.

import { make, say } from "../../net.js";
import { choose } from "../../actions.js";
import { card } from "../../cards.js";
import { HEIGHT, arrow, best, printed, spokenCard } from "../../drawing.js";
import { decidedBy, wasRefused } from "../../guide.js";
import { labelled, marked } from "../../middle.js";

/** Faces of the cards that lie there, the called category marked, in the winner's card most of all. */
function lyingFaces({ lying, category, won }, face) {
  return lying.map((codes, seat) => codes.map((code) => ({ ...face(code), called: category, best: won === seat })));
}

function middle(match) {
  const lying = lyingFaces(match.middle, match.face);
  const { pot, won, tied, category } = match.middle;
  const named = (seat) => match.who(seat) + (tied?.includes(seat) ? ` = ${say("tied")}` : "");
  const shown = lying.map((faces, seat) => [faces, seat]).filter(([faces]) => faces.length);
  const counts = (faces) => faces.at(-1).rows.find((row) => row.key === category)?.value ?? "";
  const parts = shown.map(([faces, seat]) => marked(won === seat, named(seat),
    make("span", { class: "counts", "aria-hidden": "true" }, counts(faces)), ...faces.map((face) => card(face))));
  if (pot) parts.push(labelled(say("pot"),
    make("div", { class: "pot" }, card(null, "tiny"), make("strong", {}, `${pot} ${say("cards")}`))));
  const row = lying.flat().flatMap((face) => face.rows).find((one) => one.key === category);
  return [make("p", { class: "called" }, row ? `${row.title} ${arrow(row)} ${best(row)}` : ""),
    make("div", { class: "lying" }, ...parts)];
}

/** TR-3: the caller's card once more, in place of the hand: the next card is not meant. Its rows are pressed: over each
 * lies a button that says what it holds. */
function call(match, seat) {
  const code = match.middle.lying[seat]?.at(-1);
  if (!code) return [];
  const face = match.face(code);
  const drawn = card(face, "calling");
  const offered = face.rows.filter((row) => match.middle.callable?.includes(row.key));
  const rows = offered.map((row) => make("button", { type: "button", class: "row", onclick: choose(row.title),
    "aria-label": `${row.title} ${best(row)} ${row.value}` }));
  rows.forEach((row, number) => place(row, drawn, offered[number].key));
  return [make("div", { class: "callable" }, drawn, ...rows)];
}

/** A button over the row of a card, in parts of the card. */
function place(button, drawn, key) {
  const { y, height } = drawn.querySelector(`[data-row="${key}"] rect`).attributes;
  button.style.top = `${(100 * y.value) / HEIGHT}%`;
  button.style.height = `${(100 * height.value) / HEIGHT}%`;
}

const DECIDED = ["TR-4", "TR-6"];

export default {
  tile: ({ decks }) => `${decks[0]}/A1`,
  faces: { trumpf: { draw: printed, spoken: (face) => spokenCard(face, true) } },
  middle,
  actions: { call },
  thing: "card",
  scoreIsCards: true,
  rules: { swiss: ["TR", "SW", "CL"], gastro: ["TR", "GA"], kneipe: ["TR", "KN"] },
  how: {
    figures: [
      null,
      (cards) => cards(null, null, null),
      null,
      (cards, { faces }) => cards({ ...faces.A2, called: "hoehe" }),
      (cards, { faces }) => cards(...["A2", "B1", "A1"].map((code) =>
        ({ ...faces[code], called: "hoehe", best: code === "A1" }))),
      (cards, { faces }) => cards(...["A3", "A4"].map((code) => ({ ...faces[code], called: "scharte" })), null),
    ],
  },
  guide: [
    { text: "guide_trumpf_card", done: (match, me) => decidedBy(match, ["TR-3", ...DECIDED], me) },
    { text: "guide_trumpf_call", done: (match) => decidedBy(match, ["TR-5"]) },
    { text: "guide_trumpf_compare", done: (match) => decidedBy(match, DECIDED) },
    { text: "guide_trumpf_won" },
    { text: "guide_trumpf_rule" },
    { text: "guide_trumpf_cheat", trick: "keep", done: wasRefused },
    { text: "guide_trumpf_end" },
  ],
};

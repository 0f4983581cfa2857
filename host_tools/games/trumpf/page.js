// Trumpf on the page: cards with values, the round, the pot.

import { make, say } from "../../net.js";
import { choose } from "../../actions.js";
import { card } from "../../cards.js";
import { arrow, printed, spokenCard } from "../../drawing.js";
import { wasRefused } from "../../guide.js";
import { labelled, marked } from "../../middle.js";

/** Faces of the cards that lie there, the called category marked, in the winner's card most of all. */
function lyingFaces({ lying, category, won }, face) {
  return lying.map((codes, seat) => codes.map((code) => ({ ...face(code), called: category, best: won === seat })));
}

function middle(match) {
  const lying = lyingFaces(match.middle, match.face);
  const { pot, won, tied, category } = match.middle;
  const named = (seat) => match.seats[seat].name + (tied?.includes(seat) ? ` = ${say("tied")}` : "");
  const shown = lying.map((faces, seat) => [faces, seat]).filter(([faces]) => faces.length);
  const parts = shown.map(([faces, seat]) => marked(won === seat, named(seat), ...faces.map((face) => card(face))));
  if (pot) parts.push(labelled(say("pot"), make("div", { class: "pot" }, card(null, "tiny"), make("strong", {}, `${pot} ${say("cards")}`))));
  const row = lying.flat().flatMap((face) => face.rows).find((one) => one.key === category);
  return [...(row ? [make("p", { class: "called" }, `${row.title} ${arrow(row)} ${say(`best_${row.best}`)}`)] : []), make("div", { class: "lying" }, ...parts)];
}

/** TR-3: the caller's categories with their values, and whether high or low wins. */
function call(match, seat) {
  const face = match.face(match.middle.lying[seat].at(-1));
  return (face?.rows ?? []).map((row) => make("button", { type: "button", class: "row", onclick: choose(row.title) },
    `${row.title} `, make("span", { title: say(`best_${row.best}`) }, arrow(row), make("span", { class: "hidden" }, ` ${say(`best_${row.best}`)} `)), make("b", {}, row.value)));
}

const decided = ({ middle: { won, tied } }) => won !== null || tied.length > 0;

export default {
  faces: { trumpf: { draw: printed, spoken: (face) => spokenCard(face, true) } },
  middle,
  actions: { call },
  thing: "card",
  scoreIsCards: true,
  rules: { swiss: ["TR", "SW", "CL"], gastro: ["TR", "GA"], kneipe: ["TR", "KN"] },
  guide: [
    { text: "guide_trumpf_card", done: (match, me) => match.middle.lying[me].length > 0 },
    { text: "guide_trumpf_call", done: (match) => match.middle.category !== null },
    { text: "guide_trumpf_compare", done: decided },
    { text: "guide_trumpf_won" },
    { text: "guide_trumpf_rule" },
    { text: "guide_trumpf_cheat", trick: "keep", done: wasRefused },
    { text: "guide_trumpf_end" },
  ],
};

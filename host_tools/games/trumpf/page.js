// Trumpf on the page: cards with values, the round, the pot.

import { make, say } from "../../net.js";
import { button, choose } from "../../actions.js";
import { card } from "../../cards.js";
import { printed, spokenCard } from "../../drawing.js";
import { labelled, marked } from "../../middle.js";

/** Faces of the cards that lie there, the called category marked. */
function lyingFaces({ lying, category }, face) {
  return lying.map((codes) => codes.map((code) => ({ ...face(code), called: category })));
}

function middle(match) {
  const lying = lyingFaces(match.middle, match.face);
  const { pot, won, tied } = match.middle;
  const named = (seat) => match.seats[seat].name + (tied?.includes(seat) ? ` = ${say("tied")}` : "");
  const shown = lying.map((faces, seat) => [faces, seat]).filter(([faces]) => faces.length);
  const parts = shown.map(([faces, seat]) => marked(won === seat, named(seat), ...faces.map((face) => card(face))));
  if (pot) parts.push(labelled(say("pot"), make("strong", {}, `${pot} ${say("cards")}`)));
  return [make("div", { class: "lying" }, ...parts)];
}

/** TR-3: the caller's categories with their values. */
function call(match, seat) {
  const face = match.face(match.middle.lying[seat].at(-1));
  return (face?.rows ?? []).map((row) => button(`${row.title} ${row.value}`, choose(row.title)));
}

export default {
  faces: { trumpf: { draw: printed, spoken: (face) => spokenCard(face, true) } },
  middle,
  actions: { call },
  thing: "card",
  scoreIsCards: true,
};

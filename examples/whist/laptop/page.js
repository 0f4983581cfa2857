// Whist on the page: the cards of the trick, and who laid them.

import { make } from "../../net.js";
import { card } from "../../cards.js";
import { printed, spokenCard } from "../../drawing.js";
import { marked } from "../../middle.js";

function middle(match) {
  const cards = match.middle.lying.map(({ seat, code, won }) => marked(won, match.seats[seat].name, card(match.face(code))));
  return [make("div", { class: "lying" }, ...cards)];
}

export default {
  faces: { whist: { draw: printed, size: "small", spoken: (face) => spokenCard(face, false) } },
  middle,
  actions: {},
  thing: "card",
};

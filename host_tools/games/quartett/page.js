// Quartett on the page: questions, answers, quartets.

import { data, make, say } from "../../net.js";
import { button, choose, command } from "../../actions.js";
import { card } from "../../cards.js";
import { printed, spokenCard } from "../../drawing.js";
import { decidedBy, wasRefused } from "../../guide.js";
import { marked } from "../../middle.js";

function middle(match) {
  const { quartets, sizes, shown } = match.middle;
  const rows = match.seats.map((seat, number) =>
    make("li", {}, `${seat.name}: ${sizes[number]} ${say("cards")}, ${
      say("quartets")}: ${quartets[number].join(" ") || "–"}`));
  return [...(shown ? [justShown(match, shown)] : []), make("ul", {}, ...rows)];
}

/** What the last command was about: a card asked for, given or denied, or four on the table. */
function justShown(match, { is: what, seats, codes }) {
  const names = seats.map((seat) => match.seats[seat].name);
  const labels = {
    asked: () => say("asked", names[1], codes[0]),
    given: () => names.join(" → "),
    denied: () => `${names[0]}: ${say("deny")}`,
    quartet: () => names[0],
  };
  return make("div", { class: "lying" },
    marked(what === "quartet", labels[what](),
      make("div", { class: "cards" }, ...codes.map((code) => card(match.face(code))))));
}

/** QU-3, QU-4: whom, and for a card of a group that is in the hand. */
function ask(match, seat, cards) {
  const groups = new Set(cards.map((item) => item.code[0]));
  const mine = new Set(cards.map((item) => item.code));
  const codes = match.fixed.codes.filter((code) => groups.has(code[0]) && !mine.has(code));
  const whom = make("select", { "aria-label": say("ask_whom") },
    ...match.seats.map((other, number) => [other, number]).filter(([other, number]) => number !== seat && other.cards)
      .map(([other]) => make("option", {}, other.name)));
  const what = make("select", { "aria-label": say("ask_card") }, ...codes.map((code) => make("option", {}, code)));
  const asked = command(() => ({ do: "choose", labels: [whom.value, what.value[0], what.value] }));
  return [whom, what, button(say("ask"), asked, true), ...quartets(seat, cards)];
}

/** QU-5: four of a letter, whoever's turn it is. */
function quartets(seat, cards) {
  const groups = [...new Set(cards.map((item) => item.code[0]))];
  return groups.filter((group) => cards.filter((item) => item.code[0] === group).length === 4)
    .map((group) => button(say("lay_quartet", group), command({ do: "quartet", seat, group })));
}

function lay(match, seat, cards) {
  return [...quartets(seat, cards), button(data.box_words.quartett_done, choose(data.box_words.quartett_done))];
}

/** QU-5: between two questions everybody may lay a quartet. */
function always(match, seat, cards) {
  return ["ask", "lay"].includes(match.awaits.for) ? quartets(seat, cards) : [];
}

export default {
  art: "conic-gradient(#2c6e49 25%, #274b6d 25% 50%, #8a5a2b 50% 75%, #7a2e5b 75%)",
  faces: { quartett: { draw: printed, size: "small", spoken: (face) => spokenCard(face, false) } },
  middle,
  actions: { ask, lay, answer: () => [button(say("deny"), choose(data.box_words.quartett_deny))] },
  always,
  thing: "card",
  how: {
    text: say("how_quartett"),
    figures: [
      (cards) => cards("A1", "A2", "A3", "A4"),
      null,
      (cards) => cards("B1"),
      (cards) => cards("B1", "B2"),
    ],
  },
  guide: [
    { text: say("guide_quartett_hand") },
    { text: say("guide_quartett_ask"), done: (match, me) => decidedBy(match, ["QU-3"], me) },
    { text: say("guide_quartett_answer") },
    { text: say("guide_quartett_rule") },
    { text: say("guide_quartett_cheat"), trick: "impossible_question", done: wasRefused },
    { text: say("guide_quartett_lay") },
    { text: say("guide_quartett_end") },
  ],
};

// Quartett on the page: questions, answers, quartets.

import { data, make, say } from "../../net.js";
import { button, choose, command } from "../../actions.js";
import { card } from "../../cards.js";
import { printed, spokenCard } from "../../drawing.js";
import { decidedBy, wasRefused } from "../../guide.js";
import { marked } from "../../middle.js";

let whom = null; // the seat that is to be asked

function middle(match) {
  return match.middle.shown ? [justShown(match, match.middle.shown)] : [];
}

/** What the last command was about: a card asked for, given or denied, or four on the table. */
function justShown(match, { is: what, seats, codes }) {
  const names = seats.map(match.who);
  const labels = {
    asked: () => `${names[1]}: ${codes[0]}?`,
    given: () => names.join(" → "),
    denied: () => `${names[0]}: ${say("deny")}`,
    quartet: () => names[0],
  };
  return make("div", { class: "lying" },
    marked(what === "quartet", labels[what](),
      make("div", { class: "cards" }, ...codes.map((code) => card(match.face(code))))));
}

/** QU-5: cards of a quartet lie on the box, or it asks who lays one. */
function isLaying({ half }) {
  return Boolean(half.chooses || half.layer >= 0);
}

function notLaying() {
  return [button(say("not_laying"), choose(data.box_words.back))];
}

/** QU-3, QU-4: press a seat, and a card of a letter that is in the hand. */
function ask(match, seat, cards) {
  if (isLaying(match)) return notLaying();
  const mine = new Set(cards.map((item) => item.code));
  const letters = new Set(cards.map((item) => item.code[0]));
  const others = match.seats.flatMap((other, number) => (number !== seat && other.cards ? [number] : []));
  if (!others.includes(whom)) whom = others[0];
  const name = () => match.seats[whom].name;
  const listed = () => match.seats[whom].box_name;
  const isAsked = (number) => String(number === whom);
  const asks = (code) => say("ask_for", name(), `${code} ${match.fixed.names[code]}`);
  const seats = others.map((number) => make("button", { type: "button", class: "whom", "data-whom": number,
    "data-own": number + 1, "aria-pressed": isAsked(number), onclick: () => { whom = number; mark(); } },
  match.seats[number].name));
  const wanted = match.fixed.codes.filter((code) => letters.has(code[0]) && !mine.has(code))
    .map((code) => make("button", { type: "button", class: "wanted", "data-ask": code,
      "aria-label": asks(code), onclick: command(() => ({ do: "choose", labels: [listed(), code[0], code] })) },
    make("b", {}, code), " ", match.fixed.names[code]));
  // those that stand there, which may have been drawn before
  const mark = () => {
    for (const one of all("whom")) one.setAttribute("aria-pressed", isAsked(Number(one.dataset.whom)));
    for (const one of all("ask")) one.setAttribute("aria-label", asks(one.dataset.ask));
  };
  return [make("div", { class: "seats-asked", role: "group", "aria-label": say("ask_whom") }, ...seats),
    make("div", { class: "wanteds", role: "group", "aria-label": say("ask_card") }, ...wanted),
    ...quartets(seat, cards)];
}

function all(kind) {
  return document.querySelectorAll(`#actions [data-${kind}]`);
}

/** QU-5: four of a letter, whoever's turn it is. */
function quartets(seat, cards) {
  const groups = [...new Set(cards.map((item) => item.code[0]))];
  return groups.filter((group) => cards.filter((item) => item.code[0] === group).length === 4)
    .map((group) => button(say("lay_quartet", group), command({ do: "quartet", seat, group })));
}

function lay(match, seat, cards) {
  if (isLaying(match)) return notLaying();
  return [...quartets(seat, cards), button(data.box_words.quartett_done, choose(data.box_words.quartett_done))];
}

/** QU-3: the card is tapped, or denied by who is not known to hold it. */
function answer({ middle: { may_deny } }) {
  return may_deny ? [button(say("deny"), choose(data.box_words.quartett_deny))] : [];
}

/** QU-5: between two questions everybody may lay a quartet. */
function always(match, seat, cards) {
  return ["ask", "lay"].includes(match.awaits.for) ? quartets(seat, cards) : [];
}

export default {
  tile: ({ decks }) => `${decks[0]}/H3`,
  faces: { quartett: { draw: printed, size: "small", spoken: (face) => spokenCard(face, false) } },
  middle,
  actions: { ask, lay, answer },
  always,
  asked: (match) => (isLaying(match) ? say("for_laying", match.half.laid.length) : ""),
  hand: "deep",
  thing: "card",
  seatNote: ({ middle: { quartets } }, seat) => quartets[seat].join(" "),
  how: {
    figures: [
      (cards) => cards("A1", "A2", "A3", "A4"),
      null,
      (cards) => cards("B1"),
      (cards) => cards("B1", "B2"),
    ],
  },
  guide: [
    { text: "guide_quartett_hand" },
    { text: "guide_quartett_ask", done: (match, me) => decidedBy(match, ["QU-3"], me) },
    { text: "guide_quartett_answer" },
    { text: "guide_quartett_rule" },
    { text: "guide_quartett_cheat", trick: "impossible_question", done: wasRefused },
    { text: "guide_quartett_lay" },
    { text: "guide_quartett_end" },
  ],
};

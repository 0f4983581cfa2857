// Hattrick on the page: sixty cards in three colours, two tricks at a time.

import { draw, make, say } from "../../net.js";
import { card } from "../../cards.js";
import { HEIGHT, WIDTH, image, paper, text } from "../../drawing.js";
import { decidedBy, wasRefused } from "../../guide.js";
import { marked } from "../../middle.js";

const SUITS = ["R", "G", "B"];

/** The number on a hat: a top hat, a bowler or a cap, for who does not see the colours; and the suit's letter. */
function drawn(face) {
  const ink = { fill: face.colour, class: "" };
  const corner = () => [text(12, 40, 36, String(face.value), ink), text(13, 60, 20, face.suit, ink)];
  const below = draw("g", { transform: `rotate(180 ${WIDTH / 2} ${HEIGHT / 2})` });
  below.append(...corner());
  return [
    paper(HEIGHT, { stroke: face.colour, "stroke-width": 5 }),
    ...corner(), below,
    image(face.art, 15, 62, 140, 140),
    text(WIDTH / 2, 141, 54, String(face.value), { "text-anchor": "middle", class: "white" }),
  ];
}

/** HA-7: where every seat's points of this hand come from; shown in full when the hand is over. */
function piles({ seats, middle: { piles: all, counted } }) {
  const heads = [...SUITS.map((suit) => say(`suit_${suit}`)), say("passes"), say("unit_hattrick")];
  const row = ({ won, passed, points }, seat) => make("tr", {}, make("th", { scope: "row" }, seats[seat].name),
    ...won.map((cards) => make("td", { class: cards && cards === Math.max(...won) ? "best" : "" }, String(cards))),
    make("td", {}, String(passed)), make("td", { class: "best" }, counted ? sum(won, passed, points) : String(points)));
  return make("table", { class: "piles" }, make("caption", {}, say(counted ? "hattrick_why" : "hattrick_piles")),
    make("thead", {}, make("tr", {}, make("th", { scope: "col" }, say("end_name")),
      ...heads.map((head) => make("th", { scope: "col" }, head)))),
    make("tbody", {}, ...all.map(row)));
}

/** As somebody would write it down: 5 − 2 − 1 − 2·1 = 0. */
function sum(won, passed, points) {
  const [most, ...others] = [...won].sort((one, other) => other - one);
  const less = [...others.filter(Boolean).map(String), ...(passed ? [`2·${passed}`] : [])];
  return `${[most, ...less].join(" − ")} = ${points}`.replace("= -", "= −");
}

function middle(match) {
  const { lying, tricks } = match.middle;
  const parts = lying.map(({ seat, code, won }) => marked(won, match.who(seat), card(match.face(code), "tiny")));
  const leads = tricks.map((trick) => `${say("suit_" + trick.suit)} → ${match.who(trick.leads)}`);
  return [
    make("div", { class: "lying" }, ...parts),
    make("p", {}, leads.join(" · ")),
    piles(match),
  ];
}

export default {
  tile: () => "R",
  faces: { hattrick: { draw: drawn, size: "tiny", spoken: (face) => `${say("suit_" + face.suit)} ${face.value}` } },
  middle,
  actions: {},
  hand: "flat",
  thing: "card",
  how: {
    figures: [
      null,
      (cards) => cards("R12", "G7", "B3"),
      (cards) => cards("R9", "R14", "G3"),
      (cards) => cards("R9", "R14", "G3", "B7"),
      (cards) => make("div", { class: "lying" }, marked(true, "R14", cards("R9", "R14")),
        marked(true, "G3", cards("G3"))),
      () => make("p", { class: "sum" }, sum([5, 2, 0], 1, 1)),
    ],
  },
  guide: [
    { text: "guide_hattrick_lead", done: (match, me) => decidedBy(match, ["HA-3", "HA-4"], me) },
    { text: "guide_hattrick_two" },
    { text: "guide_hattrick_round", done: (match) => decidedBy(match, ["HA-4"]) },
    { text: "guide_hattrick_won" },
    { text: "guide_hattrick_cheat", trick: "card_again", done: wasRefused },
    { text: "guide_hattrick_end" },
  ],
};

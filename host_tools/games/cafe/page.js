// Café International on the page: guests, the room, the bar.

import { data, draw, say } from "../../net.js";
import { button, choose, command } from "../../actions.js";
import { WIDTH, image, paper, text } from "../../drawing.js";
import { decidedBy, wasRefused } from "../../guide.js";
import { room } from "./room.js";

const JOKER = "JK", HEIGHT = 170;

/** Nation and sex as letters on a band of the nation's colour; the person; the code. */
function drawn(face) {
  const white = { class: "white" };
  return [
    paper(HEIGHT, { stroke: face.colour, "stroke-width": 5 }),
    draw("path", { d: `M3 36V14a12 12 0 0 1 12-12H${WIDTH - 15}a12 12 0 0 1 12 12V36z`, fill: face.colour }),
    text(13, 29, 28, face.nation === JOKER ? "★" : face.nation, white),
    text(WIDTH - 13, 29, 28, `${face.sex} ${face.sex === "f" ? "♀" : "♂"}`, { ...white, "text-anchor": "end" }),
    image(face.art, 35, 38, 100, 100),
    text(WIDTH / 2, 161, 24, face.code, { "text-anchor": "middle" }),
  ];
}

function middle(match, pressed, may) {
  return [room({ ...match.middle, ...match.fixed }, match.picked ? pressed : null, may)];
}

/** CB-11: the bar costs more than there is; the box asks whether nothing else is possible. */
function cannotPay({ asks }) {
  return asks === "cannot_pay";
}

/** What the box waits for, as it says itself, if it is not a guest and its chair. */
function asked(match) {
  const { mode, chair } = match.half;
  if (cannotPay(match)) return say("for_cannot_pay");
  if (mode === "bar") return say("for_bar");
  if (mode === "swap") return chair ? say("for_swap", chair) : say("for_swap_chair");
  return "";
}

/** CB-2: a turn is one or two guests, or one at the bar, or one joker swapped. Only what is possible now. */
function place(match, seat, cards) {
  const { seated, may_end, may_take_back, bar } = match.middle;
  if (cannotPay(match)) return [
    button(say("cannot_pay"), choose(data.box_words.cafe_forced)),
    button(data.box_words.back, choose(data.box_words.back))];
  const leave = (text) => button(text, choose(data.box_words.back));
  if (match.half.mode === "bar") return [leave(say("not_to_bar"))];
  if (match.half.mode === "swap") {
    return [...(match.half.chair ? [] : swaps(match, cards.map((item) => item.code))), leave(say("no_swap"))];
  }
  if (match.picked) return [button(say("other_guest", match.picked), choose(data.box_words.back))];
  if (seated) {
    return [...(may_end ? [button(say("end_turn"), choose(data.box_words.cafe_done))] : []),
      ...(may_take_back ? [button(say("take_back"), command({ do: "take_back" }))] : [])];
  }
  const toBar = bar ? [button(say("to_bar"), choose(data.box_words.cafe_bar))] : [];
  return [...toBar, ...swaps(match, cards.map((item) => item.code))];
}

/** CB-12: jokers on chairs whose place somebody in this hand could take. The guest is tapped then. */
function swaps({ fixed: { plan }, middle: { nations, guests } }, hand) {
  const jokers = Object.entries(guests).filter(([, tile]) => tile.startsWith(JOKER));
  const fits = (chair, joker) => hand.some((tile) => tile[2] === joker[2]
    && plan.links[chair].some((table) => nations[table] === tile.slice(0, 2)));
  return jokers.filter(([chair, joker]) => fits(chair, joker))
    .map(([chair, joker]) => button(say("swap_joker", joker, chair), choose(data.box_words.cafe_swap, chair)));
}

/** CB-14: the guests tapped so far can be tapped anew. */
function leftover({ half }) {
  return half.left?.length ? [button(data.box_words.cafe_again, choose(data.box_words.cafe_again))] : [];
}

function tableCard(match) {
  const nation = match.middle.next_card;
  if (!nation) return [button(data.box_words.cafe_no_card, choose(data.box_words.cafe_no_card))];
  return [button(say("table_card", nation), command({ do: "tap", code: `${nation}1` }), true)];
}

function guest(code) {
  const nation = code.slice(0, 2);
  return { kind: "guest", code, nation, sex: code[2], art: `/art/${code}.svg`,
    colour: data.sample.fixed.colours[nation] };
}

/** A woman and a man at a table of their nation. */
function seated({ nations }, { plan }) {
  const home = Object.keys(nations).find((table) => nations[table] === "FR");
  const chairs = Object.keys(plan.links).filter((chair) => plan.links[chair].includes(home));
  return { guests: { [chairs[0]]: "FRf1", [chairs[1]]: "FRm1" }, points: { [home]: 4 } };
}

function spoken(face) {
  const nation = face.nation === JOKER ? say("joker") : face.nation;
  return `${nation} ${say(face.sex === "f" ? "women" : "men")} ${face.code}`;
}

export default {
  tile: ({ preset }) => (preset === "app" ? "ITm1" : "FRf1"),
  faces: { guest: { draw: drawn, height: HEIGHT, size: "tiny", spoken } },
  middle,
  actions: { place, leftover, table_card: tableCard },
  asked,
  hand: "low",
  thing: "guest",
  rules: { board: ["CB"], app: ["CB", "CA"] },
  how: {
    figures: [
      null,
      (cards) => cards(...["FRf1", "FRm1", "JKf1"].map(guest)),
      (cards, { middle: table, fixed }) => room({ ...table, ...fixed, ...seated(table, fixed) }, null),
    ],
  },
  guide: [
    { text: "guide_cafe_guest",
      done: (match, me) => match.awaits.seat === me && Boolean(match.picked || decidedBy(match, ["CB-7"], me)) },
    { text: "guide_cafe_chair", done: (match, me) => decidedBy(match, ["CB-7", "CB-9"], me) },
    { text: "guide_cafe_points" },
    { text: "guide_cafe_second",
      done: (match, me) => match.awaits.seat !== me || !match.news.at(-1).text.startsWith(match.seats[me].name) },
    { text: "guide_cafe_bar" },
    { text: "guide_cafe_cheat", trick: "foreign_table", done: wasRefused },
    { text: "guide_cafe_end" },
  ],
};

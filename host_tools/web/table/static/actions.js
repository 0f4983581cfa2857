// Short cuts beside the hand: fingers that find the item in the box's list. The box still judges.

import { data, make, say } from "./net.js";
import { send } from "./table.js";

const JOKER = "JK";

function button(text, act, main = false) {
  return make("button", { type: "button", class: main ? "main" : "", onclick: act }, text);
}

function choose(...labels) {
  return () => send({ do: "choose", labels });
}

/** TR-3: the caller's categories with their values. */
function call(match, seat) {
  const face = match.middle.lying[seat].at(-1);
  return (face?.rows ?? []).map((row) => button(`${row.title} ${row.value}`, choose(row.title)));
}

/** QU-3, QU-4: whom, and for a card of a group that is in the hand. */
function ask(match, seat, cards) {
  const groups = new Set(cards.map((item) => item.code[0]));
  const mine = new Set(cards.map((item) => item.code));
  const codes = match.middle.codes.filter((code) => groups.has(code[0]) && !mine.has(code));
  const whom = make("select", { "aria-label": say("ask_whom") },
    ...match.seats.map((other, number) => [other, number]).filter(([other, number]) => number !== seat && other.cards)
      .map(([other]) => make("option", {}, other.name)));
  const what = make("select", { "aria-label": say("ask_card") }, ...codes.map((code) => make("option", {}, code)));
  return [whom, what, button(say("ask"), () => choose(whom.value, what.value[0], what.value)(), true), ...quartets(seat, cards)];
}

/** QU-5: four of a letter, whoever's turn it is. */
function quartets(seat, cards) {
  const groups = [...new Set(cards.map((item) => item.code[0]))];
  return groups.filter((group) => cards.filter((item) => item.code[0] === group).length === 4)
    .map((group) => button(say("lay_quartet", group), () => send({ do: "quartet", seat, group })));
}

function lay(match, seat, cards) {
  return [...quartets(seat, cards), button(data.box_words.quartett_done, choose(data.box_words.quartett_done))];
}

/** CB-2: a turn is one or two guests, or one at the bar, or one joker swapped. Only what is possible now. */
function place(match, seat, cards) {
  const { seated, may_end, bar } = match.middle;
  if (seated) return may_end ? [button(say("end_turn"), choose(data.box_words.cafe_done))] : [];
  const toBar = bar ? [button(say("to_bar"), choose(data.box_words.cafe_bar))] : [];
  return [...toBar, ...swaps(match.middle, cards.map((item) => item.code))];
}

/** CB-12: jokers on chairs whose place somebody in this hand could take. The guest is tapped then. */
function swaps({ plan, nations, guests }, hand) {
  const jokers = Object.entries(guests).filter(([, tile]) => tile.startsWith(JOKER));
  const fits = (chair, joker) => hand.some((tile) => tile[2] === joker[2] && plan.links[chair].some((table) => nations[table] === tile.slice(0, 2)));
  return jokers.filter(([chair, joker]) => fits(chair, joker))
    .map(([chair, joker]) => button(say("swap_joker", joker, chair), choose(data.box_words.cafe_swap, chair)));
}

function tableCard(match) {
  const nation = match.middle.next_card;
  if (!nation) return [button(data.box_words.cafe_no_card, choose(data.box_words.cafe_no_card))];
  return [button(say("table_card", nation), () => send({ do: "tap", code: `${nation}1` }), true)];
}

const ACTIONS = {
  call, ask, lay, place,
  answer: () => [button(say("deny"), choose(data.box_words.quartett_deny))],
  table_card: tableCard,
};

/** What `seat` can do now besides tapping a card. */
export function actionsOf(match, seat, cards) {
  const { seat: awaited, for: what } = match.awaits;
  if (match.closed) return [];
  if (awaited !== seat) return what === "ask" || what === "lay" ? quartets(seat, cards) : [];
  return ACTIONS[what] ? ACTIONS[what](match, seat, cards) : [];
}

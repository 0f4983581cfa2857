// The seats round the felt: who sits there, with how many cards and points, and whose turn it is.

import { make, say, texts } from "./net.js";
import { GAMES } from "./games.js";
import { countTo } from "./motion.js";
import { ownSeat } from "./hand.js";
import { redraw } from "./keep.js";

const MOST_BACKS = 7;
const list = document.getElementById("seats");
let before = []; // the scores as they were drawn last

/** Drawn again only when it changes: what moves there is not disturbed. */
export function showSeats(match) {
  const key = JSON.stringify([match?.seats, match?.awaits.seat, ownSeat(), match?.middle.quartets]);
  if (list.dataset.key === key) return;
  list.dataset.key = key;
  const seats = match?.seats ?? [];
  list.parentElement.style.setProperty("--others", Math.max(1, seats.length - (ownSeat() === null ? 0 : 1)));
  redraw(list, ...seats.map((seat, number) => seatOf(match, seat, number)));
  seats.forEach(({ score }, number) => {
    const shown = list.children[number].querySelector(".score");
    if (before[number] !== undefined && before[number] !== score) countTo(shown, before[number], score);
  });
  before = seats.map(({ score }) => score);
}

function seatOf(match, seat, number) {
  const { scoreIsCards, seatNote } = GAMES[match.game];
  const turn = match.awaits.seat === number;
  const mine = ownSeat() === number;
  const note = seatNote?.(match, number);
  return make("li", { class: `${turn ? "turn" : ""}${mine ? " me" : ""}`, "aria-current": turn ? "true" : false,
    "data-means": number, "data-own": number + 1, onclick: () => choose(number) },
  make("span", { class: "avatar", "aria-hidden": "true" }, [...seat.name][0] ?? ""),
  make("span", { class: "who" }, make("b", {}, mine ? say("you_are", seat.name) : seat.name), " ",
    make("span", { class: "score" }, String(seat.score)),
    ...(note ? [make("span", { class: "laid" }, note)] : []),
    backs(seat, scoreIsCards, GAMES[match.game].thing)));
}

/** What a seat holds, from behind. */
function backs({ cards, score }, scoreIsCards, thing) {
  const count = say(cards === 1 ? `one_${thing}` : `many_${thing}`, cards);
  const drawn = Array.from({ length: Math.min(cards, MOST_BACKS) }, () => make("i", { "aria-hidden": "true" }));
  return make("span", { class: "backs" }, ...drawn,
    make("span", { class: scoreIsCards && cards === score ? "hidden" : "" }, ` ${count}`));
}

/** A seat that is pressed while somebody is to choose one. */
function choose(number) {
  document.querySelector(`[data-whom="${number}"]`)?.click();
}

/** One short sentence about what was decided, to the person at this page; the log has all of it. */
export function brief(match, item) {
  const { event } = item;
  const me = ownSeat();
  const who = event?.seat ?? event?.from ?? event?.leader;
  const mine = me === null ? "" : who === me ? "_you" : event?.to === me ? "_to_you" : "";
  const text = texts[`short_${event?.is}${mine}`] ?? texts[`short_${event?.is}`];
  if (!text || item.refused) return item.text;
  const seats = { seat: who, leader: who, from: who, to: event.to };
  return text.replace(/{(\w+)}/g, (_, name) => match.seats[seats[name]]?.name ?? event[name]);
}

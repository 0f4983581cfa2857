// A first match that is guided: one sentence at a time beside the real match. The box judges as ever; a step is done
// when what it speaks of has happened, or when somebody reads on.

import { make, say, sayRules } from "./net.js";
import { redraw } from "./keep.js";
import { send } from "./line.js";
import { GAMES } from "./games.js";

const KEY = "schiri.guide"; // "number of the match/step": a page that is loaded again goes on
const panel = document.getElementById("guide");
let waiting = false; // the next match is to be guided
let number = null; // of the match that is guided
let place = 0;
let shown = "";

/** The next match that begins is guided, or is not. */
export function setGuided(on) {
  waiting = on;
  if (!on) leave();
}

function leave() {
  number = null;
  sessionStorage.removeItem(KEY);
}

export function showGuide(match) {
  if (match && !match.closed) join(match);
  const steps = match?.number === number && !match?.closed ? GAMES[match.game].guide ?? [] : [];
  const me = match?.seats.findIndex((seat) => !seat.auto);
  while (place < steps.length && steps[place].done?.(match, me)) place += 1;
  panel.hidden = place >= steps.length;
  const key = `${match?.number}/${place}`;
  if (panel.hidden || key === shown) return;
  shown = key;
  sessionStorage.setItem(KEY, key);
  draw(match, steps, me);
}

/** A match that has just begun; or the one that was guided before the page was loaded again. */
function join(match) {
  if (waiting && match.number !== number) {
    [waiting, number, place] = [false, match.number, 0];
  } else if (number === null) {
    const [kept, step] = (sessionStorage.getItem(KEY) ?? "").split("/");
    if (kept === String(match.number)) [number, place] = [match.number, Number(step)];
  }
}

function draw(match, steps, me) {
  const { text, trick } = steps[place];
  const last = place === steps.length - 1;
  const next = () => { place += 1; showGuide(match); };
  const end = () => { place = steps.length; leave(); panel.hidden = true; };
  const buttons = [
    ...(trick ? [make("button", { type: "button", class: "main", "data-guide": "try",
      onclick: () => send({ do: "trick", name: trick, seat: Math.max(me, 0) }) }, say("guide_try"))] : []),
    make("button", { type: "button", "data-guide": "next", onclick: last ? end : next },
      say(last ? "guide_done" : "guide_next")),
    ...(last ? [] : [make("button", { type: "button", "data-guide": "end", onclick: end }, say("guide_end"))]),
  ];
  redraw(panel, make("h2", { id: "guide-title" }, say("guide_step", place + 1, steps.length)),
    make("p", { role: "status" }, sayRules(text, match.in_force).join(" ")),
    make("div", { class: "next" }, ...buttons));
}

/** For the steps of games: has the box decided something by one of these rules, about `seat` if one is given? */
export function decidedBy(match, rules, seat = null) {
  return match.news.some((item) => rules.includes(item.rule)
    && (seat === null || item.text.startsWith(match.seats[seat].name)));
}

/** Has the box refused what was done last? */
export function wasRefused(match) {
  return Boolean(match.news.at(-1)?.refused);
}

// Short cuts beside the hand: fingers that find the item in the box's list. The box still judges.

import { make } from "./net.js";
import { send } from "./line.js";
import { GAMES } from "./games.js";

let drawn = ""; // what was decided last in the match that is drawn

/** From now on, what is drawn to be pressed belongs to this match as it stands. */
export function drawing(match) {
  drawn = match?.at ?? "";
}

/** Is a list of the jury's on the box? Then it answers nobody else. */
export function isJurys({ asks }) {
  return asks.startsWith("jury");
}

/** A button beside the hand. */
export function button(text, act, main = false) {
  return make("button", { type: "button", class: main ? "main" : "", onclick: act }, text);
}

/** Sends `message`, or what it gives back, as of the match that is drawn now: the server refuses it once more was
 * decided. */
export function command(message) {
  const at = drawn;
  return () => send({ ...(typeof message === "function" ? message() : message), at });
}

/** Fingers that pick these items, one after the other. */
export function choose(...labels) {
  return command({ do: "choose", labels });
}

/** What `seat` can do now besides tapping a card. */
export function actionsOf(match, seat, cards) {
  drawing(match);
  const { actions, always } = GAMES[match.game];
  const { seat: awaited, for: what } = match.awaits;
  if (match.closed || isJurys(match)) return [];
  if (awaited !== seat) return always?.(match, seat, cards) ?? [];
  return actions[what]?.(match, seat, cards) ?? [];
}

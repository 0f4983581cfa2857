// What lies in the middle of the table: figures that games are made of, and the import of each game's own.

import { make, say } from "./net.js";
import { GAMES } from "./games.js";

/** A figure with its name. */
export function labelled(name, ...children) {
  return make("figure", {}, make("figcaption", {}, name), ...children);
}

/** A figure whose cards took the round, if a replay says so. */
export function marked(won, name, ...children) {
  return won
    ? make("figure", { class: "won" }, make("figcaption", {}, name, make("strong", {}, " ★", make("span", { class: "hidden" }, ` ${say("wins")}`))), ...children)
    : labelled(name, ...children);
}

/** `match.middle` names cards by their codes; `face(code)` and `fixed` hold what is the same at every step. */
export function middleOf(match, choose) {
  return GAMES[match.game].middle(match, choose);
}

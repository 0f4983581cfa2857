// How a game is played: a step a line of its text `how_<game>`, a picture beside each step, drawn as on the table.

import { data, make, sayRules } from "./net.js";
import { card } from "./cards.js";
import { GAMES } from "./games.js";

const { figures } = GAMES[data.game].how;
const { faces } = data.sample;

/** Cards in a row: a code, a face, or null for a back. */
function cards(...all) {
  return make("div", { class: "cards" }, ...all.map((one) => card(faces[one] ?? one, "small")));
}

function figure(number) {
  const drawn = figures[number]?.(cards, data.sample);
  return drawn ? [make("div", { class: "figure" }, drawn)] : [];
}

const [goal, ...steps] = sayRules(`how_${data.game}`, data.in_force);
document.querySelector(".goal").append(make("span", {}, goal), ...figure(0));
document.getElementById("how").append(...steps.map((step, number) =>
  make("li", {}, make("p", {}, step), ...figure(number + 1))));

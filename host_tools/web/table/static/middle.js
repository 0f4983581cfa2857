// What lies in the middle of the table, per game.

import { make, say } from "./net.js";
import { card } from "./cards.js";
import { room } from "./room.js";

function labelled(name, ...children) {
  return make("figure", {}, make("figcaption", {}, name), ...children);
}

/** A figure whose cards took the round, if a replay says so. */
function marked(won, name, ...children) {
  return won
    ? make("figure", { class: "won" }, make("figcaption", {}, name, make("strong", {}, " ★", make("span", { class: "hidden" }, ` ${say("wins")}`))), ...children)
    : labelled(name, ...children);
}

function trumpf(match) {
  const { lying, pot, won, tied } = match.middle;
  const named = (seat) => match.seats[seat].name + (tied?.includes(seat) ? ` = ${say("tied")}` : "");
  const shown = lying.map((faces, seat) => [faces, seat]).filter(([faces]) => faces.length);
  const parts = shown.map(([faces, seat]) => marked(won === seat, named(seat), ...faces.map((face) => card(face))));
  if (pot) parts.push(labelled(say("pot"), make("strong", {}, `${pot} ${say("cards")}`)));
  return [make("div", { class: "lying" }, ...parts)];
}

function hattrick(match) {
  const { lying, passes, tricks } = match.middle;
  const parts = lying.map(({ seat, face, won }) => marked(won, match.seats[seat].name, card(face, "tiny")));
  const leads = tricks.map((trick) => `${say("suit_" + trick.suit)} → ${match.seats[trick.leads].name}`);
  return [
    make("div", { class: "lying" }, ...parts),
    make("p", {}, leads.join(" · ")),
    make("p", {}, `${say("passes")}: ${passes.join(" · ")}`),
  ];
}

function quartett(match) {
  const { asked, quartets, sizes, shown } = match.middle;
  const rows = match.seats.map((seat, number) =>
    make("li", {}, `${seat.name}: ${sizes[number]} ${say("cards")}, ${say("quartets")}: ${quartets[number].join(" ") || "–"}`));
  const question = asked ? [make("p", {}, make("strong", {}, say("asked", match.seats[asked.seat].name, asked.card)))] : [];
  return [...(shown ? [justShown(match, shown)] : []), ...question, make("ul", {}, ...rows)];
}

/** What the step of a replay was about: a card asked for, given or denied, or four on the table. */
function justShown(match, { is: what, seats, codes, faces }) {
  const names = seats.map((seat) => match.seats[seat].name);
  const labels = {
    asked: () => say("asked", names[1], codes[0]),
    given: () => names.join(" → "),
    denied: () => `${names[0]}: ${say("deny")}`,
    quartet: () => names[0],
  };
  return make("div", { class: "lying" }, marked(what === "quartet", labels[what](), make("div", { class: "cards" }, ...faces.map((face) => card(face)))));
}

function cafe(match, choose) {
  const { bar, bag } = match.middle;
  const text = bar ? `${bar.field} (${bar.points > 0 ? "+" : ""}${bar.points})` : say("full");
  return [make("p", {}, `${say("bar")}: ${text} · ${say("bag")}: ${bag}`), room(match.middle, choose)];
}

const MIDDLES = { trumpf, hattrick, quartett, cafe };

export function middleOf(match, choose) {
  return MIDDLES[match.game](match, choose);
}

// Setting up a match: the game, who plays, their names. What was played last on this device stands there again.

import { data, make, say } from "./net.js";
import { send } from "./line.js";
import { keepShort, oneSpelling } from "./names.js";
import { coverAll } from "./hand.js";
import { GAMES } from "./games.js";
import { setGuided } from "./guide.js";
import { chosenOptions, fillOptions, showOptions } from "./options.js";

const KEY = "schiri.setup";
const MEDIUM = "medium";
const at = (id) => document.getElementById(id);
/** How bots shall play, of all and seat by seat, also while the chosen game does not offer it. */
const wished = { all: MEDIUM, seats: [] };

function chosenGame() {
  return data.games[Number(document.querySelector("#setup [name=game]:checked").value)];
}

function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {}; // written by something else
  }
}

/** Decks and seats of the chosen game; `wanted` stays chosen where it can. */
function offer(wanted = {}) {
  const game = chosenGame();
  at("deck-label").hidden = game.decks.length === 0;
  at("deck").replaceChildren(
    ...game.decks.map((deck) => make("option", { value: deck }, data.deck_titles[deck] ?? deck)));
  const counts = Array.from({ length: game.most - game.fewest + 1 }, (_, more) => game.fewest + more);
  at("seat-count").replaceChildren(...counts.map((count) => make("option", { value: count }, String(count))));
  if (game.decks.includes(wanted.deck) && !data.asked_deck) at("deck").value = wanted.deck;
  if (counts.includes(wanted.seats)) at("seat-count").value = wanted.seats;
  showDeckNote();
  fillStrengths(at("strength"), wished.all);
  nameFields(wanted.names);
  fillOptions(game.options, kept().options?.[keyOf(game)] ?? {}, labelOptions); // what this device chose last
  labelOptions();
}

/** Where the variant says otherwise than the deck which value wins. */
function showDeckNote() {
  const note = chosenGame().notes[at("deck").value] ?? "";
  at("deck-note").hidden = !note;
  at("deck-note").textContent = note;
}

function labelOptions() {
  showOptions(chosenGame().options, Number(at("seat-count").value));
}

function keyOf(game) {
  return `${game.game}/${game.preset}`;
}

/** One field a seat; what was typed stays when seats come or go. */
function nameFields(given) {
  const typed = given ?? names();
  const fields = Array.from({ length: Number(at("seat-count").value) }, (_, seat) => keepShort(make("input", {
    value: typed[seat] ?? data.names[seat], "aria-label": say("name_of", seat + 1), autocomplete: "off",
  })));
  at("names").replaceChildren(
    ...fields.map((field, seat) => make("span", { class: "player" }, field, strengthField(seat))));
  showStrengths();
}

/** How well the bot of a seat plays; for all of them one is chosen above. */
function strengthField(seat) {
  const select = make("select", { "aria-label": say("strength_of", seat + 1), "data-strength": seat,
    onchange: ({ target }) => { wished.seats[seat] = target.value; } });
  fillStrengths(select, wished.seats[seat] ?? wished.all);
  return select;
}

/** What the chosen game offers; medium where that is not what is wished. */
function fillStrengths(select, wish) {
  const offered = data.strengths.filter(([name]) => chosenGame().strengths.includes(name));
  select.replaceChildren(...offered.map(([name, label]) => make("option", { value: name }, label)));
  select.value = offered.some(([name]) => name === wish) ? wish : MEDIUM;
}

function ownStrengths() {
  return [...at("names").querySelectorAll("select")].map((select) => select.value);
}

/** Only bots have a strength. */
function showStrengths() {
  const first = { first: 1, all: Infinity, nobody: 0 }[at("me").value];
  at("names").querySelectorAll("select").forEach((select, seat) => { select.hidden = seat < first; });
}

function names() {
  return [...at("names").querySelectorAll("input")].map((field, seat) => oneSpelling(field.value) || data.names[seat]);
}

/** `guided`: a first match, explained step by step, on which nobody else is waiting. */
function startMatch(guided = false) {
  if (guided) at("me").value = "first";
  const game = chosenGame();
  const seats = Number(at("seat-count").value);
  const all = Array.from({ length: seats }, (_, seat) => seat);
  const auto = { first: all.slice(1), all: [], nobody: all }[at("me").value];
  const deck = at("deck").value ?? "";
  coverAll();
  setGuided(guided);
  at("new-match").open = false; // what the box and the table say to it is in sight
  const options = chosenOptions(game.options);
  localStorage.setItem(KEY, JSON.stringify({
    game: keyOf(game), options: { ...kept().options, [keyOf(game)]: options }, deck, seats,
    me: at("me").value, strength: wished.all, strengths: wished.seats, names: names(),
  }));
  send({
    do: "start", abandon: at("abandon-first").checked, game: game.game, preset: game.preset,
    deck, seats, auto, names: names(), strengths: ownStrengths(), options,
    practice: guided,
  });
}

export function setUpSetup() {
  const last = kept();
  const place = data.games.findIndex((game) =>
    (data.asked_deck ? game.decks.length && game.preset === data.asked_preset : keyOf(game) === last.game));
  if (place >= 0) document.querySelectorAll("#setup [name=game]")[place].checked = true;
  if (["first", "all", "nobody"].includes(last.me)) at("me").value = last.me;
  wished.all = last.strength ?? data.strength;
  if (place >= 0) wished.seats = last.strengths ?? [];
  offer(place >= 0 ? last : {});
  document.querySelectorAll("#setup .art").forEach((art, number) => {
    const picture = GAMES[data.games[number].game].tile?.(data.games[number]);
    if (picture) art.append(make("img", { src: `/art/${picture}.svg`, alt: "" }));
  });
  for (const tile of document.querySelectorAll("#setup [name=game]")) tile.addEventListener("change", () => offer());
  at("deck").addEventListener("change", showDeckNote);
  at("seat-count").addEventListener("change", () => {
    nameFields();
    labelOptions();
  });
  at("me").addEventListener("change", showStrengths);
  at("strength").addEventListener("change", ({ target }) => {
    Object.assign(wished, { all: target.value, seats: [] });
    nameFields();
  });
  at("setup").addEventListener("submit", (event) => {
    event.preventDefault();
    startMatch();
  });
  at("teach").addEventListener("click", () => startMatch(true));
  at("with-phones").addEventListener("click", () => {
    if (!at("setup").reportValidity()) return;
    at("me").value = "all";
    startMatch();
    at("devices").open = true;
  });
}

/** Who plays by itself in the match that is being played: a bot goes on for somebody who leaves, and back. */
export function showAutos(match) {
  const group = at("autos");
  if (!group) return;
  const seats = match && !match.closed ? match.seats : [];
  group.hidden = !seats.length;
  const names = seats.map(({ name }) => name).join("/");
  if (group.dataset.names !== names) {
    group.dataset.names = names;
    group.replaceChildren(group.firstElementChild, ...seats.map(autoField));
  }
  seats.forEach(({ auto }, seat) => { group.querySelector(`[data-auto="${seat}"]`).checked = auto; });
}

function autoField({ name }, seat) {
  const auto = make("input", { type: "checkbox", "data-auto": seat,
    onchange: ({ target }) => send({ do: "auto", seat, on: target.checked }) });
  return make("label", {}, auto, ` ${name} ${say("auto")}`);
}

/** The form stands on the table until a match is there, then in a drawer, also at its end. */
export function placeSetup(isMatch, running) {
  const drawer = at("new-match");
  if (!drawer) return;
  at("running").hidden = !running;
  at("abandon-first").required = running;
  if (!running) at("abandon-first").checked = false;
  if (drawer.hidden === !isMatch) return;
  drawer.hidden = !isMatch;
  (isMatch ? at("setup-sheet") : document.querySelector(".setup")).append(at("setup"));
}

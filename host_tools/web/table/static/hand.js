// The one place of the player: whose hand this page shows, what is to be done, and the cards, lit where the rules
// take them.

import { data, get, make, say, texts } from "./net.js";
import { card, kindOf, picture, spoken } from "./cards.js";
import { actionsOf, command, isJurys } from "./actions.js";
import { GAMES } from "./games.js";
import { dealt } from "./motion.js";
import { hearAgain, heldCard, isCut, isGone } from "./line.js";
import { fan } from "./fan.js";
import { arrange, redraw } from "./keep.js";
import { setAside } from "./fit.js";

const at = (id) => document.getElementById(id);
const LIMIT_MS = 8000;
const AGAIN_MS = 2000; // a hand that did not come is asked for once more
let state = null;
let drawMore = () => {};
let uncovered = null; // the seat whose hand this page shows after "I am …"
let shown = { seat: null, cards: [] };
const faces = new WeakMap(); // card in the hand -> what is printed on it
let fetched = { key: "", cards: [] }; // the newest hand from the server, and of what moment it is
let asksFor = ""; // the heading of the box as the actions were drawn
let fetchedFor = ""; // the moment at which the server was asked last

/** `act()` draws what else depends on the hand. */
export function setUpHand(act) {
  drawMore = act;
}

/** What the server told last: who is awaited, before anything is drawn. */
export function follow(news) {
  state = news;
}

/** Nobody has uncovered a hand. */
export function coverAll() {
  uncovered = null;
}

/** Seat and cards that are shown now. */
export function shownHand() {
  return shown;
}

/** The seats that people play here: a seat's own page has just that one, the table's those that no phone holds. */
function people() {
  const seats = state?.match?.seats ?? [];
  if (data.seat !== null) return data.seat < seats.length ? [data.seat] : [];
  const held = state.phones.map((phone) => phone.seat);
  return seats.map((seat, number) => number).filter((number) => !seats[number].auto && !held.includes(number));
}

/** The one seat that is played here, so that it can be called "you"; null if there are several, or none. */
export function ownSeat() {
  const seats = people();
  return seats.length === 1 ? seats[0] : null;
}

/** Whose hand belongs on this page now; null if nobody plays here. */
function shownSeat() {
  const seats = people();
  if (seats.length <= 1) return seats[0] ?? null;
  const awaited = state.match.awaits.seat;
  return seats.includes(awaited) ? awaited : seats.includes(uncovered) ? uncovered : seats[0];
}

function isCovered(seat) {
  return people().length > 1 && uncovered !== seat;
}

/** Is somebody awaited who plays on this page, with open cards? */
export function mayAct() {
  const seat = state?.match?.awaits.seat;
  return people().includes(seat) && !isCovered(seat);
}

/** What the rules take of a card that lies open here: true, false, or a list of places; undefined if nobody asks. */
export function mayOf(code) {
  return shown.cards.find((item) => item.code === code)?.may;
}

/** "It is your turn: tap a card", or who else is awaited. */
export function showPrompt(match) {
  const text = promptOf(match);
  if (at("prompt").textContent !== text) { // what is heard already is not said again
    at("prompt").replaceChildren(make("i", { "aria-hidden": "true" }), text); // a mark of its own: none moves
  }
  const place = at("prompt").closest("section");
  place.classList.toggle("mine", mayAct());
  place.classList.toggle("none", !people().length);
  const { hand } = GAMES[match?.game] ?? {};
  for (const height of ["low", "flat", "deep"]) place.closest("main").classList.toggle(height, hand === height);
  setAside();
  place.classList.toggle("locked", Boolean(match) && !mayAct());
}

function promptOf(match) {
  if (!match) return "";
  if (isCut()) return say("lost");
  if (match.closed) return say(match.end.abandoned ? "abandoned" : "closed");
  if (match.paused) return say("paused", data.box_words.arbiter_resume);
  if (isJurys(match)) return say("jury_chooses");
  if (state.doing?.labels) return say("doing", state.doing.labels.join(" · "));
  const { seat, for: what } = match.awaits;
  if (what === "begin" && state.busy) return say("setting_up");
  const atTable = !data.host && texts[`table_${what}`]; // what a seat's own device cannot do
  const text = atTable || GAMES[match.game].asked?.(match)
    || (match.picked ? say("for_picked", match.picked) : say(`for_${what}`));
  if (seat === null || seat === undefined) return text;
  const mine = people();
  return mine.length === 1 && mine[0] === seat ? say("your_turn", text) : say("wait_for", match.seats[seat].name, text);
}

/** The line to the table has broken, or is back: the card that waits for it is marked. */
export function showLine() {
  if (state) showPrompt(state.match);
  for (const card of at("hand").querySelectorAll("[data-code]")) {
    card.classList.toggle("held", isHeld(card.dataset.code));
  }
}

/** It waits for the line, or is being laid. */
function isHeld(code) {
  return code === heldCard() || code === state.doing?.code;
}

/** A hand belongs to one moment of the match. It may arrive before the news of that moment does: then it waits, but not
 * for ever. */
function momentOf(seat, match) {
  return JSON.stringify([seat, match?.number, match?.count, match?.changes, match?.half]);
}

export function refreshHand(news) {
  state = news;
  const seat = shownSeat();
  if (uncovered !== null && uncovered !== seat) uncovered = null; // the device changes hands
  const open = seat !== null && !isCovered(seat);
  const key = momentOf(seat, state.match);
  const isNew = open && key !== fetched.key; // what is shown is the one before
  at("prompt").closest("section").setAttribute("aria-busy", String(isNew));
  if (isNew) return fetchHand(seat, key);
  if (!open) [fetched, fetchedFor] = [{ key: "", cards: [] }, ""];
  shown = { seat, cards: fetched.cards };
  showHand();
  showLine();
  drawMore();
}

async function fetchHand(seat, key) {
  if (key === fetchedFor) return; // it is on its way, or here and newer than the news
  fetchedFor = key;
  const answer = await get(`/t/${data.table}/hand/${seat}`, LIMIT_MS).catch(() => null);
  if (key !== fetchedFor) return; // a newer one is on its way
  if (answer) fetched = { key: momentOf(seat, answer), cards: answer.cards };
  if (fetched.key !== key) setTimeout(() => tryAgain(key), AGAIN_MS);
  if (answer) whenReleased(() => refreshHand(state));
}

/** Neither the hand of this moment has come, nor the news of a later one. */
function tryAgain(key) {
  if (key !== fetchedFor || isGone()) return;
  fetchedFor = "";
  hearAgain();
  refreshHand(state);
}

function showHand() {
  const { seat, cards } = shown;
  const name = seat === null ? "" : state.match.seats[seat].name;
  at("hand-title").textContent = seat === null ? say("match")
    : seat === ownSeat() ? say("hand_yours") : say("hand_of", name);
  at("hand-title").classList.toggle("hidden", seat === null || seat === ownSeat());
  const covered = seat !== null && isCovered(seat);
  const { awaits, asks, count, half, number } = state.match ?? {};
  const key = JSON.stringify([seat, cards, covered, state.dead, awaits, half, count]);
  const isDrawn = at("hand").dataset.key === key; // keeps the focus where it is
  if (isDrawn && asks === asksFor) return;
  asksFor = asks;
  if (isDrawn && !covered && seat !== null) return showActions(seat, cards);
  at("hand").dataset.key = key;
  if (seat === null || covered) {
    redraw(at("actions"));
    redraw(at("hand"), ...(covered ? [cover(seat, name)] : []));
  } else dealt(`${number}/${seat}`, () => showCards(seat, cards));
}

function cover(seat, name) {
  const show = () => {
    uncovered = seat;
    refreshHand(state);
  };
  return make("div", { class: "cover" }, make("p", {}, say("cover", name)),
    make("button", { type: "button", class: "main", onclick: show }, say("uncover", name)));
}

function showActions(seat, cards) {
  const actions = actionsOf(state.match, seat, cards);
  if (people().length > 1) {
    const hide = () => { uncovered = null; refreshHand(state); };
    actions.push(make("button", { type: "button", onclick: hide }, say("hide")));
  }
  redraw(at("actions"), ...actions);
}

function showCards(seat, cards) {
  showActions(seat, cards);
  const seen = cards.filter((item) => item.face);
  const hidden = cards.length - seen.length;
  const before = at("hand").querySelector(".cards");
  const list = before ?? make("div", { class: "cards" });
  arrange(list, [...seen.map((item) => cardButton(item, list)), ...(hidden ? [stack(hidden)] : [])]);
  if (!cards.length) at("hand").replaceChildren(make("p", {}, say("hand_empty")));
  else if (!before) at("hand").replaceChildren(list);
  fan();
}

function stack(count) {
  const back = card(null, "tiny");
  back.setAttribute("aria-label", `${count} × ${say("face_down")}`);
  return make("div", { class: "stack" }, back, make("span", {}, `× ${count}`));
}

/** The card as it lies in the list already, if its face is the same; else a new one. */
function cardButton(item, list) {
  const { code, face } = item;
  const printed = JSON.stringify(face);
  const old = list.querySelector(`[data-code="${code}"]`);
  const button = old && faces.get(old) === printed ? old : newCard(code, face);
  faces.set(button, printed);
  const dead = state.dead.includes(code);
  const name = dead ? say("dead_card", spoken(face)) : spoken(face);
  const takes = item.may === undefined ? "" : item.may === true || item.may.length ? " may" : " not";
  const { tile, left, laid } = state.match.half;
  const picked = tile === code || (left ?? laid ?? []).includes(code);
  button.className = `card ${kindOf(face).size ?? ""}${dead ? " dead" : ""}${takes}${
    picked ? " picked" : ""}${isHeld(code) ? " held" : ""}`;
  button.setAttribute("aria-label", say("tap_card", takes === " not" ? say("card_not_now", name) : name));
  button.onclick = command({ do: "tap", code });
  return button;
}

function newCard(code, face) {
  const button = make("button", { type: "button", draggable: "true", "data-code": code }, picture(face));
  button.addEventListener("dragstart", (event) => event.dataTransfer.setData("text/plain", code));
  return button;
}

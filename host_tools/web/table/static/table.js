// The page of one table: shows what the server tells, and sends what people do.

import { drawing } from "./actions.js";
import { data, make, outlived, problem, say } from "./net.js";
import { listen, send } from "./line.js";
import { fromRows, paint } from "./oled.js";
import { isOn, sound, toggle } from "./sound.js";
import { middleOf, ownerOf, takerOf } from "./middle.js";
import { showArbiter } from "./arbiter.js";
import { showEnd } from "./end.js";
import { follow, mayAct, mayOf, ownSeat, refreshHand, setUpHand, showLine, showPrompt, shownHand } from "./hand.js";
import { redraw } from "./keep.js";
import { laid, setRush } from "./motion.js";
import { onFreed, onRest, setUpPhones, showPhones } from "./phones.js";
import { ruleMark, showRules } from "./rules.js";
import { reveal, setUpFit } from "./fit.js";
import { setUpDrawers, setUpSettings } from "./settings.js";
import { brief, showSeats } from "./seats.js";
import { spread } from "./spread.js";
import { setUpSpeech } from "./speech.js";
import { placeSetup, setUpSetup, showAutos } from "./setup.js";
import { showGuide } from "./guide.js";

const at = (id) => document.getElementById(id);
const BUTTONS = { ArrowUp: "up", ArrowDown: "down", Enter: "ok", j: "jury", J: "jury" };
const RUSH = 1000;
const pressed = new Set();
let state = null;
let lain = null; // the match as the middle was drawn last

// -- what the server tells -------------------------------------------------------------------

function showScreen({ rows, lines }) {
  paint(at("oled"), fromRows(rows));
  at("oled").dataset.rows = rows;
  const texts = lines.map((line) => (line.lit ? "» " : "") + said(line));
  if (at("screen-text").dataset.text !== texts.slice(1).join("\n")) {
    // the top bar holds the clock: not read out every second
    at("screen-text").dataset.text = texts.slice(1).join("\n");
    at("screen-text").replaceChildren(...texts.map((text) => make("p", {}, text)));
  }
}

/** A line of the box as a sentence: who has won stands there large, without a word. */
function said({ text, wins }) {
  const line = text.replace("\t", ": ");
  return wins ? say("screen_wins", line) : line;
}

function showState(news) {
  if (state && news.match?.count !== state.match?.count) outlived();
  const focused = document.activeElement;
  state = news;
  follow(state);
  if (state.match) equip(state.match);
  setRush(state.speed === RUSH);
  showBox();
  showMatch();
  showPhones(state);
  showNews();
  refreshHand(state);
  keepFocus(focused);
}

/** Where what had the focus has gone, what is to be done next has it: Enter on nothing is OK on the box. */
function keepFocus(before) {
  const now = document.activeElement;
  if (before !== document.body && (now === document.body || !now.checkVisibility())) at("prompt").focus();
}

/** What the games ask of a match: the face of a card, and what the person at this page calls a seat. */
function equip(match) {
  match.face = (code) => match.faces[code];
  match.who = (seat) => (seat === ownSeat() ? say("you") : match.seats[seat].name);
}

function showBox() {
  press("power", state.power);
  press("cable", state.plugged);
  for (const button of document.querySelectorAll("[data-speed]")) {
    button.setAttribute("aria-pressed", String(Number(button.dataset.speed) === state.speed));
  }
  at("crash").hidden = !state.crash;
  at("crash-text").textContent = state.crash;
  at("reader").classList.toggle("full", state.field.length > 0);
  at("reader-hint").hidden = state.field.length > 0;
  at("lift").hidden = state.field.length === 0;
  at("lying").replaceChildren(...state.field.map((code) => make("span", { class: "tag" }, code)));
}

function press(id, on) {
  at(id)?.setAttribute("aria-pressed", String(on));
}

function isPressed(id) {
  return at(id).getAttribute("aria-pressed") === "true";
}

function showMatch() {
  const match = state.match;
  document.querySelector("main").classList.toggle("idle", !match);
  document.querySelector("main").classList.toggle("ended", Boolean(match?.end));
  placeSetup(Boolean(match), Boolean(match) && !match.closed && !match.over);
  showPrompt(match);
  at("match-title").textContent = match ? match.title : say("no_match");
  showSeats(match);
  showAutos(match);
  showMiddle(match);
  const seats = match ? match.seats.length : data.most_seats;
  keepOptions("cheat-seat", seats, (number) => match?.seats[number].name ?? String(number + 1));
  followTurn(match?.awaits.seat);
  showTricks(match);
  showArbiter(match, state.dead);
  showEnd(match);
  showRules(match);
  showGuide(match);
}

function showMiddle(match) {
  const picked = match?.picked;
  const may = picked && mayAct() ? mayOf(picked) : undefined;
  const names = match?.seats.map((seat) => seat.name);
  const key = JSON.stringify(
    [match?.number, match?.middle, names, mayAct() && match?.at, match?.awaits.for, picked, may, ownSeat()]);
  if (at("middle").dataset.key === key) return;
  at("middle").dataset.key = key;
  drawing(match); // the called row is pressed here
  const before = lain;
  const draw = () => {
    redraw(at("middle"), ...(match ? middleOf(match, mayAct() ? chooseChair : null, may) : []));
    spread();
  };
  laid(draw, (code) => ownerOf(match, code), (code) => takerOf(before, code));
  lain = match;
  reveal();
}

/** Tricks are played with a card of the seat whose turn it is, unless somebody chooses another. */
function followTurn(seat) {
  const select = at("cheat-seat");
  if (!select || seat === null || seat === undefined || select.dataset.turn === String(seat)) return;
  select.dataset.turn = seat;
  select.value = seat;
}

/** The tricks of this game, and whether a tag is dead. */
function showTricks(match) {
  for (const button of document.querySelectorAll("[data-cheat][data-game]")) {
    button.hidden = button.dataset.game !== match?.game || match.closed;
  }
  const dead = document.querySelector('[data-cheat="dead"]');
  if (!dead) return;
  dead.textContent = state.dead.length ? `${say("heal")} (${state.dead.join(", ")})` : data.tricks.dead.button;
}

function showNews() {
  const hint = state.hint;
  at("hint").replaceChildren();
  if (hint) {
    const told = data.tricks[hint.name]?.told ?? say(hint.name);
    at("hint").append(told, " ");
    if (hint.rule) at("hint").append(ruleMark(hint.rule));
  }
  const news = state.match?.news ?? [];
  showVerdict(news.at(-1));
  const key = `${state.match?.number}/${news.at(-1)?.line}`;
  if (at("news").dataset.key === key) return;
  at("news").dataset.key = key;
  sayNews(news);
  // not kept: whoever reads sees the newest on top, and lines that stay would count as pushed down
  at("news").replaceChildren(...[...news].reverse().map(newsLine));
}

/** For people who hear the page: every sentence once, in the order of the match; of what was decided before they
 * came, the last. */
function sayNews(news) {
  const said = at("said");
  const number = String(state.match?.number ?? "");
  if (said.dataset.match !== number) {
    said.dataset.last = said.dataset.match === undefined ? news.at(-2)?.line ?? -1 : -1;
    said.dataset.match = number;
    said.replaceChildren();
  }
  for (const item of news.filter(({ line }) => line > Number(said.dataset.last))) {
    said.append(make("p", {}, item.refused && item.rule ? `${item.text} ${say("rule", item.rule)}` : item.text));
    said.dataset.last = item.line;
  }
}

/** What the box said last, in the middle of the table; while robots wait for it to be read, with a button that goes
 * on. */
function showVerdict(item) {
  const key = JSON.stringify([state.match?.number, item, state.held]);
  if (at("verdict").dataset.key === key) return;
  at("verdict").dataset.key = key;
  at("verdict").hidden = !item;
  at("verdict").classList.toggle("refused", Boolean(item?.refused));
  if (!item) return;
  const goOn = make("button", { type: "button", id: "go-on", onclick: () => send({ do: "read" }) }, say("go_on"));
  redraw(at("verdict"), make("span", { class: "text" }, brief(state.match, item)),
    ...(item.rule ? [ruleMark(item.rule)] : []), ...(state.held && data.host ? [goOn] : []));
}

function newsLine(item) {
  return make("li", { class: item.refused ? "refused" : "", "data-means": `n${item.n}` }, item.text, " ",
    ...(item.rule ? [ruleMark(item.rule)] : []));
}

/** For tricks with a card: one of the hand that may be seen, when it is that seat's. */
function keepCards() {
  const { seat, cards } = shownHand();
  const mine = seat !== null && Number(at("cheat-seat")?.value) === seat ? cards.filter((item) => item.face) : [];
  keepOptions("cheat-card", mine.length + 1, (number) => (number ? mine[number - 1].code : say("cheat_next_card")));
}

/** A chair: fingers choose it in the box's lists. A table alone: its tag is tapped. */
function chooseChair(table, chair) {
  send({ ...(chair ? { do: "choose", labels: [table, chair] } : { do: "tap", code: table }), at: state.match.at });
}

// -- what people do ------------------------------------------------------------------------------

function key(button, down) {
  if (pressed.has(button) === down) return;
  if (down) pressed.add(button);
  else pressed.delete(button);
  document.querySelector(`[data-button="${button}"]`)?.classList.toggle("down", down);
  send({ do: "button", button, down });
}

function setUpBox() {
  for (const element of document.querySelectorAll("[data-button]")) {
    const button = element.dataset.button;
    element.addEventListener("pointerdown", (event) => {
      element.setPointerCapture(event.pointerId);
      key(button, true);
    });
    for (const end of ["pointerup", "pointercancel"]) element.addEventListener(end, () => key(button, false));
    // Enter and space on a focused button press it for as long as they are held
    const keyed = (down) => (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      event.stopPropagation();
      key(button, down);
    };
    element.addEventListener("keydown", keyed(true));
    element.addEventListener("keyup", keyed(false));
  }
  document.addEventListener("keydown", onKey);
  document.addEventListener("keyup", (event) => {
    if (BUTTONS[event.key] && pressed.has(BUTTONS[event.key])) key(BUTTONS[event.key], false);
  });
  window.addEventListener("blur", () => [...pressed].forEach((button) => key(button, false)));
  at("sound").addEventListener("click", () => press("sound", toggle()));
  at("lift").addEventListener("click", () => send({ do: "lift" }));
  const reader = at("reader");
  reader.addEventListener("dragover", (event) => { event.preventDefault(); reader.classList.add("over"); });
  reader.addEventListener("dragleave", () => reader.classList.remove("over"));
  reader.addEventListener("drop", (event) => {
    event.preventDefault();
    reader.classList.remove("over");
    send({ do: "lay", code: event.dataTransfer.getData("text/plain"), at: state.match?.at ?? "" });
  });
}

function onKey(event) {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const inside = event.target.closest("input, select, textarea, summary, button, a, [role=button]");
  if (inside && (event.key === "Enter" || !inside.matches("button, a, [role=button]"))) return;
  if (BUTTONS[event.key] && (data.host || BUTTONS[event.key] !== "jury")) {
    event.preventDefault();
    if (!event.repeat) key(BUTTONS[event.key], true);
  } else if (/^[1-9]$/.test(event.key)) {
    at("hand").querySelectorAll("[data-code]")[Number(event.key) - 1]?.click();
  } else if (event.key === "m" || event.key === "M") {
    press("sound", toggle());
  }
}

// -- the host's part -------------------------------------------------------------------------------

function setUpHost() {
  // what the switch shows: nothing may have come from the server yet
  at("power").addEventListener("click", () => send({ do: "power", on: !isPressed("power") }));
  at("cable").addEventListener("click", () => send({ do: "cable", plugged: !isPressed("cable") }));
  at("restart").addEventListener("click", () => send({ do: "power", on: true }));
  for (const button of document.querySelectorAll("[data-speed]")) {
    button.addEventListener("click", () => send({ do: "speed", speed: Number(button.dataset.speed) }));
  }
  for (const button of document.querySelectorAll("[data-cheat]")) {
    button.addEventListener("click", () => {
      const card = at("cheat-card").selectedIndex > 0 ? at("cheat-card").selectedOptions[0].textContent : "";
      send({ do: "trick", name: button.dataset.cheat, seat: Number(at("cheat-seat").value), card });
    });
  }
  at("cheat-seat").addEventListener("change", keepCards);
  setUpSetup();
}

function keepOptions(id, count, label) {
  const select = at(id);
  if (!select) return;
  const labels = Array.from({ length: count }, (_, number) => label(number));
  if (select.dataset.labels === labels.join("|")) return;
  select.dataset.labels = labels.join("|");
  redraw(select, ...labels.map((text, number) => make("option", { value: number }, text)));
}

setUpBox();
setUpHand(() => { showMiddle(state.match); keepCards(); });
setUpFit(reveal);
setUpDrawers();
setUpSettings();
setUpPhones();
setUpSpeech();
if (data.host) setUpHost();
press("sound", isOn());
/** What waited for other hands. */
function refused({ text }) {
  problem(text);
  outlived();
}

listen({ oled: showScreen, state: showState, refused, freed: onFreed, rest: onRest, tone: sound }, showLine);

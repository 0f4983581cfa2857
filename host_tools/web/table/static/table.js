// The page of one table: shows what the server tells, and sends what people do.

import { data, get, link, make, problem, say, send, texts } from "./net.js";
import { fromRows, paint } from "./oled.js";
import { isOn, sound, toggle } from "./sound.js";
import { card, kindOf, picture, spoken } from "./cards.js";
import { middleOf } from "./middle.js";
import { actionsOf } from "./actions.js";
import { showArbiter } from "./arbiter.js";
import { showEnd } from "./end.js";

const at = (id) => document.getElementById(id);
const BUTTONS = { ArrowUp: "up", ArrowDown: "down", Enter: "ok", j: "jury", J: "jury" };
const pressed = new Set();
let state = null;
let uncovered = null; // the seat whose hand this page shows after "I am …"
let hand = { seat: null, cards: [] };
let handKey = ""; // what the hand was fetched for: the server is asked again only when that changes

// -- what the server tells -------------------------------------------------------------------

function listen() {
  const source = new EventSource(link(`/t/${data.table}/events`));
  source.addEventListener("oled", (event) => showScreen(JSON.parse(event.data)));
  source.addEventListener("state", (event) => showState(JSON.parse(event.data)));
  source.addEventListener("tone", (event) => sound(JSON.parse(event.data).hz));
  source.onerror = () => problem(say("lost"), "line"); // EventSource tries again by itself
  source.onopen = () => problem("", "line");
}

function showScreen({ rows, lines }) {
  paint(at("oled"), fromRows(rows));
  at("oled").dataset.rows = rows;
  const texts = lines.map((line) => (line.lit ? "» " : "") + line.text.replace("\t", ": "));
  if (at("screen-text").dataset.text !== texts.slice(1).join("\n")) {
    // the top bar holds the clock: not read out every second
    at("screen-text").dataset.text = texts.slice(1).join("\n");
    at("screen-text").replaceChildren(...texts.map((text) => make("p", {}, text)));
  }
}

function showState(news) {
  state = news;
  if (state.match) state.match.face = (code) => state.match.faces[code];
  showBox();
  showMatch();
  showNews();
  refreshHand();
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
  at("prompt").textContent = promptOf(match);
  at("match-title").textContent = match ? match.title : say("no_match");
  at("seats").replaceChildren(...(match ? match.seats.map(seatLine) : []));
  at("middle").replaceChildren(...(match ? middleOf(match, mayChoose() ? chooseChair : null) : []));
  const seats = match ? match.seats.length : data.most_seats;
  keepOptions("cheat-seat", seats, (number) => match?.seats[number].name ?? String(number + 1));
  followTurn(match?.awaits.seat);
  showTricks(match);
  showArbiter(match, state.dead);
  showEnd(match);
  showLinks(match);
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

function promptOf(match) {
  if (!match) return "";
  if (match.closed) return say(match.end.abandoned ? "abandoned" : "closed");
  if (match.paused) return say("paused", data.box_words.arbiter_resume);
  const { seat, for: what } = match.awaits;
  const atTable = !data.host && texts[`table_${what}`]; // what a seat's own device cannot do
  const text = atTable || say(`for_${what}`);
  if (seat === null || seat === undefined) return text;
  return !data.host && seat === data.seat ? say("your_turn", text) : say("wait_for", match.seats[seat].name, text);
}

function seatLine(seat, number) {
  const auto = make("input", { type: "checkbox", "data-auto": number });
  auto.checked = seat.auto;
  auto.disabled = !data.host;
  auto.addEventListener("change", () => send({ do: "auto", seat: number, on: auto.checked }));
  const turn = state.match.awaits.seat === number;
  return make("li", { class: turn ? "turn" : "", "aria-current": turn ? "true" : false },
    seat.name, make("span", { class: "score" }, String(seat.score)),
    make("label", {}, auto, " ", say("auto")));
}

function showNews() {
  const hint = state.hint;
  at("hint").replaceChildren();
  if (hint) {
    const told = data.tricks[hint.name]?.told ?? say(hint.name);
    at("hint").append(told, " ");
    if (hint.rule) at("hint").append(make("span", { class: "rule" }, ruleName(hint.rule)));
  }
  const news = state.match?.news ?? [];
  const key = `${state.match?.number}/${news.at(-1)?.n}`;
  if (at("news").dataset.key === key) return;
  at("news").dataset.key = key;
  at("news").replaceChildren(...[...news].reverse().map(newsLine));
}

function newsLine(item) {
  const line = make("li", { class: item.refused ? "refused" : "" }, item.text, " ");
  if (item.rule) line.append(make("span", { class: "rule" }, ruleName(item.rule)));
  return line;
}

function ruleName(rule) {
  return say(/^[A-Z]{2}-\d/.test(rule) ? "rule" : "page", rule);
}

// -- hands -------------------------------------------------------------------------------------

/** The seats that people play; a seat's own page has just that one. */
function people() {
  const seats = state?.match?.seats ?? [];
  if (data.seat !== null) return data.seat < seats.length ? [data.seat] : [];
  return seats.map((seat, number) => number).filter((number) => !seats[number].auto);
}

/** Whose hand belongs on this page now; null while it is a robot's turn and several people play. */
function shownSeat() {
  const seats = people();
  if (seats.length <= 1) return seats[0] ?? null;
  const awaited = state.match.awaits.seat;
  return seats.includes(awaited) ? awaited : seats.includes(uncovered) ? uncovered : seats[0];
}

function isCovered(seat) {
  return people().length > 1 && uncovered !== seat;
}

function mayChoose() {
  const seat = state?.match?.awaits.seat;
  return people().includes(seat) && !isCovered(seat);
}

async function refreshHand() {
  const seat = shownSeat();
  if (uncovered !== null && uncovered !== seat) uncovered = null; // the device changes hands
  const match = state.match;
  const key = JSON.stringify([seat, match?.number, match?.count, match?.changes]);
  if (seat === null || isCovered(seat)) {
    hand = { seat, cards: [] };
    handKey = "";
  } else if (key !== handKey) {
    handKey = key;
    const answer = await get(`/t/${data.table}/hand/${seat}`).catch(() => null);
    if (!answer || shownSeat() !== seat) {
      handKey = "";
      return;
    }
    hand = { seat, cards: answer.cards };
  }
  showHand();
}

function showHand() {
  const { seat, cards } = hand;
  const name = seat === null ? "" : state.match.seats[seat].name;
  at("hand-title").textContent = seat === null ? say("match") : say("hand_of", name);
  keepCards(seat, cards);
  const covered = seat !== null && isCovered(seat);
  const key = JSON.stringify([seat, cards, covered, state.dead, state.match?.awaits, state.match?.count]);
  if (at("hand").dataset.key === key) return; // keeps the focus where it is
  at("hand").dataset.key = key;
  at("actions").replaceChildren();
  if (seat === null) at("hand").replaceChildren();
  else if (isCovered(seat)) at("hand").replaceChildren(cover(seat, name));
  else showCards(seat, cards);
}

function cover(seat, name) {
  const show = () => {
    uncovered = seat;
    refreshHand();
    showMatch();
  };
  return make("div", { class: "cover" }, make("p", {}, say("cover", name)),
    make("button", { type: "button", class: "main", onclick: show }, say("uncover", name)));
}

function showCards(seat, cards) {
  at("actions").replaceChildren(...actionsOf(state.match, seat, cards));
  if (people().length > 1) {
    const hide = () => { uncovered = null; refreshHand(); };
    at("actions").append(make("button", { type: "button", onclick: hide }, say("hide")));
  }
  const seen = cards.filter((item) => item.face);
  const hidden = cards.length - seen.length;
  const list = make("div", { class: "cards" }, ...seen.map(cardButton));
  if (hidden) {
    const back = card(null, "tiny");
    back.setAttribute("aria-label", `${hidden} × ${say("face_down")}`);
    list.append(back, make("span", {}, `× ${hidden}`));
  }
  at("hand").replaceChildren(cards.length ? list : make("p", {}, say("hand_empty")));
}

/** For tricks with a card: one of the hand that may be seen, when it is that seat's. */
function keepCards(seat, cards) {
  const mine = seat !== null && Number(at("cheat-seat")?.value) === seat ? cards.filter((item) => item.face) : [];
  keepOptions("cheat-card", mine.length + 1, (number) => (number ? mine[number - 1].code : say("cheat_next_card")));
}

function cardButton({ code, face }) {
  const size = kindOf(face).size ?? "";
  const dead = state.dead.includes(code);
  const name = dead ? say("dead_card", spoken(face)) : spoken(face);
  const button = make("button", {
    type: "button", class: `card ${size}${dead ? " dead" : ""}`, draggable: "true", "data-code": code,
    "aria-label": `${say("tap_card", name)}`, onclick: () => send({ do: "tap", code }),
  }, picture(face));
  button.addEventListener("dragstart", (event) => event.dataTransfer.setData("text/plain", code));
  return button;
}

/** A chair: fingers choose it in the box's lists. A table alone: its tag is tapped. */
function chooseChair(table, chair) {
  send(chair ? { do: "choose", labels: [table, chair] } : { do: "tap", code: table });
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
    element.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") { event.preventDefault(); event.stopPropagation(); key(button, true); }
    });
    element.addEventListener("keyup", (event) => {
      if (event.key === "Enter" || event.key === " ") { event.preventDefault(); event.stopPropagation(); key(button, false); }
    });
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
    send({ do: "lay", code: event.dataTransfer.getData("text/plain") });
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
  at("restart").addEventListener("click", () => send({ do: "restart" }));
  for (const button of document.querySelectorAll("[data-speed]")) {
    button.addEventListener("click", () => send({ do: "speed", speed: Number(button.dataset.speed) }));
  }
  for (const button of document.querySelectorAll("[data-cheat]")) {
    button.addEventListener("click", () => {
      const card = at("cheat-card").selectedIndex > 0 ? at("cheat-card").selectedOptions[0].textContent : "";
      send({ do: "trick", name: button.dataset.cheat, seat: Number(at("cheat-seat").value), card });
    });
  }
  at("cheat-seat").addEventListener("change", () => keepCards(hand.seat, hand.cards));
  at("game").addEventListener("change", offer);
  at("setup").addEventListener("submit", (event) => { event.preventDefault(); startMatch(); });
  offer();
}

function keepOptions(id, count, label) {
  const select = at(id);
  if (!select) return;
  const labels = Array.from({ length: count }, (_, number) => label(number));
  if (select.dataset.labels === labels.join("|")) return;
  select.dataset.labels = labels.join("|");
  select.replaceChildren(...labels.map((text, number) => make("option", { value: number }, text)));
}

function offer() {
  const game = data.games[Number(at("game").value)];
  at("deck-label").hidden = game.decks.length === 0;
  at("deck").replaceChildren(...game.decks.map((deck) => make("option", { value: deck }, deck)));
  const counts = Array.from({ length: game.most - game.fewest + 1 }, (_, more) => game.fewest + more);
  at("seat-count").replaceChildren(...counts.map((count) => make("option", { value: count }, String(count))));
}

function startMatch() {
  const game = data.games[Number(at("game").value)];
  const seats = Number(at("seat-count").value);
  const all = Array.from({ length: seats }, (_, seat) => seat);
  const auto = { first: all.slice(1), all: [], nobody: all }[at("me").value];
  uncovered = null;
  send({ do: "start", game: game.game, preset: game.preset, deck: at("deck").value ?? "", seats, auto, names: data.names.slice(0, seats) });
}

function showLinks(match) {
  const list = at("links");
  const seats = match?.seats.length ?? 0;
  if (!list || list.childElementCount === seats) return;
  list.replaceChildren(...Array.from({ length: seats }, (_, seat) => {
    const url = `${location.origin}/t/${data.table}?key=${data.seat_keys[seat]}&seat=${seat + 1}`;
    const text = say("seat_link", seat + 1);
    return make("li", {}, make("a", { href: url }, text),
      make("img", { src: link(`/t/${data.table}/seat/${seat}.svg`), alt: text, loading: "lazy" }));
  }));
}

setUpBox();
if (data.host) setUpHost();
press("sound", isOn());
listen();

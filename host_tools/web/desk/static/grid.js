// Entering one result after the other: table, cards, cards, Enter. The server judges; here are only keys.
//
// There is one place to type, the line at the top, and it is in one of three states:
//   table  a number is being typed; the cards are shut
//   cards  it is the table of `open`, whose names stand in the line; the cards are typed
//   kept   what was typed is put aside, to be seen; the number is selected, the cards are shut
// What Enter sends is what the line shows: the number that was typed, the match whose names stand there, both numbers
// of cards; of a table of several the places, a digit a seat. An answer never moves the keyboard; it only fills a line
// in which nothing is typed.
"use strict";

const grid = document.getElementById("grid");
const line = document.getElementById("place");
const [table, cardsA, cardsB] = line ? line.querySelectorAll("input") : [];
const enterButton = line?.querySelector("button");
const [nameA, nameB] = line ? line.querySelectorAll(".name") : [];
const cardsLabel = cardsA?.ariaLabel;
const said = document.getElementById("said");
const questions = document.getElementById("questions");
const words = grid?.dataset;

let state = "table";
let open = null; // the row's data as the line shows them
let filled = ""; // the rest of the deck, as the second number of cards
let warned = ""; // another number, after which somebody was asked to look
let stuck = null; // the number behind which the hand wanted to leave: what follows is not a part of it
let at = cardsA; // the field of the cards that had the keyboard
let last = null; // the match that ↓ goes on from
const sent = new Set(); // for Ctrl+Z, the newest last
let turn = Promise.resolve(); // what is sent goes to the server one after the other

function say(text, bad = false) {
  said.textContent = text;
  said.classList.toggle("bad", bad);
}

function rowOf(match) {
  return document.getElementById(`row-${match}`);
}

// -- the three states -----------------------------------------------------------------------------

// the hand is at the line, and not on its way to a button
function atLine() {
  return [document.body, table, cardsA, cardsB, enterButton].includes(document.activeElement);
}

function settle() {
  if (atLine()) table.focus({ preventScroll: true });
  if (state === "kept") table.select();
  show();
}

function show() {
  cardsA.disabled = cardsB.disabled = state !== "cards";
  line.classList.toggle("several", Boolean(open?.several));
  cardsA.ariaLabel = open?.several ? words.places_of : cardsLabel;
  cardsA.maxLength = open?.several ? Number(open.several) : 4;
  nameA.textContent = open?.nameA ?? "";
  nameB.textContent = open?.nameB ?? "";
  for (const row of grid.children) row.classList.toggle("open", row.dataset.match === open?.match);
}

function begin() {
  [state, open, stuck, filled, warned] = ["table", null, null, "", ""];
  table.value = cardsA.value = cardsB.value = cardsB.placeholder = "";
  settle();
}

function putAside() {
  [state, stuck] = ["kept", null];
  settle();
}

function keep(text, row, a = "", b = "") {
  [table.value, cardsA.value, cardsB.value, open] = [text, a, b, row];
  putAside();
}

function openRow(row, a = "", b = "") {
  if (!row) return say(words.none, true); // another match is at its table by now
  if (row.dataset.table !== table.value && row.dataset.match !== table.value.toUpperCase()) {
    table.value = row.dataset.table || row.dataset.match;
  }
  [state, open, stuck, last] = ["cards", { ...row.dataset }, null, row.dataset.match];
  [cardsA.value, cardsB.value, filled, warned] = [a, b, "", ""];
  cardsB.placeholder = rest();
  show();
  row.scrollIntoView({ block: "nearest" });
  return focusCards(cardsA, true);
}

function focusCards(field, whole = false) {
  at = field;
  field.focus();
  if (whole) field.select();
}

function typing() {
  return state !== "kept" && table.value.trim() !== "";
}

// -- the number of the table ----------------------------------------------------------------------

// rows whose table or match begins so; also those that are done, so that the same keys always do the same
function beginning(text) {
  return [...grid.children].filter(({ dataset }) => dataset.table.startsWith(text) || dataset.match.startsWith(text));
}

// the row of this table or match; of several matches at a table the one that has no result
function exactly(text) {
  const rows = beginning(text).filter(({ dataset }) => dataset.table === text || dataset.match === text);
  const waiting = rows.filter((row) => row.dataset.enter);
  return rows.length === 1 ? rows[0] : waiting.length === 1 ? waiting[0] : undefined;
}

// as it is meant, also by a keyboard that writes wide digits
function number() {
  return table.value.normalize("NFKC").trim().toUpperCase();
}

function tableTyped() {
  if (state === "kept") {
    const typed = table.value;
    begin();
    table.value = typed;
  }
  const text = number();
  if (!text) stuck = null;
  if (!text) return;
  if (stuck !== null && stuck !== text) return say(words.two, true);
  const kind = /^\d+$/.test(text) ? "table" : "match";
  const possible = new Set(beginning(text).map((row) => row.dataset[kind]));
  if (!possible.size) return say(words.none, true);
  return possible.size === 1 && exactly(text) ? openRow(exactly(text)) : undefined;
}

// Enter or a space behind the number
function take() {
  const text = number();
  if (!text) return undefined;
  const row = stuck === null || stuck === text ? exactly(text) : undefined;
  if (row) return openRow(row);
  say(words.none, true);
  return stick();
}

function stick() {
  stuck ??= number();
}

function tableKey(key) {
  const text = number();
  if (key.key === " ") {
    if (state === "table") take();
  } else if (key.key === "Tab" && !key.shiftKey && state === "table" && text) {
    say(beginning(text).length ? words.which : words.none, true);
    stick();
  } else if (key.key === "ArrowRight" && state === "kept" && open) {
    openRow(rowOf(open.match), cardsA.value, cardsB.value);
  } else if (key.key === "ArrowDown" || key.key === "ArrowUp") {
    if (!typing()) step(key.key);
  } else {
    return;
  }
  key.preventDefault();
}

// the next row without a result, behind the last one and then from the beginning
function step(key) {
  const rows = [...grid.children];
  if (key === "ArrowUp") rows.reverse();
  const from = rows.findIndex((row) => row.dataset.match === last);
  const next = [...rows.slice(from + 1), ...rows.slice(0, from + 1)]
    .find((row) => row.dataset.waits && !underWay(row.dataset.match));
  if (next) openRow(next);
}

// -- the cards ------------------------------------------------------------------------------------

const BETWEEN = [" ", ":", "-", ",", ";", ".", "Tab"];

function rest() {
  return cardsA.value && open.dealt ? String(Math.max(0, Number(open.dealt) - Number(cardsA.value))) : "";
}

function wholeSelected(field) {
  return field.selectionStart === 0 && field.selectionEnd === field.value.length;
}

function cardsTyped(field) {
  if (field === cardsB) {
    field.value = field.value.normalize("NFKC").replace(/[^\d ]/g, "");
    return;
  }
  field.value = field.value.normalize("NFKC").replace(/\D/g, "");
  cardsB.placeholder = rest();
  if (filled) cardsB.value = filled = "";
  if (open.several) return;
  const whole = field.value.length > 1 || Number(field.value) * 10 > Number(open.most);
  if (whole) focusCards(cardsB, true);
}

// a space behind the second number stays in it: digits behind that are a slip of the hand, and no number
function between() {
  if (open.several) return undefined;
  if (at === cardsA) return cardsA.value ? focusCards(cardsB, true) : undefined;
  if (cardsB.value && !wholeSelected(cardsB)) cardsB.value = `${cardsB.value.trimEnd()} `;
  return undefined;
}

// back through what was typed, as if it were one text
function backspace() {
  if (at === cardsB) {
    cardsA.value = cardsA.value.slice(0, -1);
    cardsB.placeholder = rest();
    return focusCards(cardsA);
  }
  const typed = table.value.slice(0, -1);
  begin();
  table.value = typed;
  return undefined;
}

function cardsKey(key) {
  const untouched = !cardsA.value && !cardsB.value;
  if (key.key === "Tab" && key.shiftKey) {
    if (at === cardsB) focusCards(cardsA, true);
    else putAside();
  } else if (BETWEEN.includes(key.key)) {
    between();
  } else if (key.key === "Backspace" && !at.value) {
    backspace();
  } else if (key.key === "ArrowDown" || key.key === "ArrowUp") {
    if (untouched) step(key.key);
  } else {
    return;
  }
  key.preventDefault();
}

// Where an Enter was forgotten or came too early, what follows would go to wrong tables. So the line stays as it is,
// and takes up whatever is typed, until somebody has looked.
function sound(b) {
  if (b.includes(" ")) {
    say(words.two, true);
    return false;
  }
  if (!filled || b === filled || b === warned) return true;
  say(words.rest, true);
  warned = b;
  return false;
}

function enter() {
  if (state === "kept") return undefined;
  if (state === "table") {
    take();
    return state === "table" && number() ? putAside() : undefined;
  }
  if (!cardsA.value) return focusCards(cardsA);
  if (open.several && cardsA.value.length !== Number(open.several)) return say(words.places, true);
  if (!open.several && !cardsB.value) {
    cardsB.value = filled = rest(); // it is shown before it counts
    return focusCards(cardsB, true);
  }
  const b = cardsB.value.trim();
  if (!sound(b)) return undefined;
  const one = { open, typed: number(), a: cardsA.value, b, more: {}, state: "typed" };
  begin();
  sent.add(one);
  return book(one);
}

function told(one) {
  return one.open.several ? one.a : `${one.a}:${one.b}`;
}

// -- sending --------------------------------------------------------------------------------------

async function post(action, fields) {
  const body = new URLSearchParams({ csrf: words.csrf, page: "grid", stage: words.stage, ...fields });
  const answer = await fetch(`${document.body.dataset.at}/desk/do/${action}`,
    { method: "POST", body, headers: { accept: "application/json" } });
  if (answer.headers.get("content-type").startsWith("application/json")) return answer.json();
  return { refused: words.expired, ask: "" }; // the login came, or another session has begun
}

function inTurn(work) {
  turn = turn.then(work).catch((error) => say(String(error), true));
  return turn;
}

function answered(action, fields) {
  return post(action, fields).catch(() => ({ refused: words.lost, ask: "" }));
}

function underWay(match) {
  return [...sent].some((one) => one.state === "under way" && one.open.match === match);
}

function book(one) {
  const { match } = one.open;
  // as the row shows it now; behind another one of ours for the same match, as it will be then
  const early = underWay(match) ? null : rowOf(match)?.dataset.seen;
  one.state = "under way";
  question(one)?.remove();
  rowOf(match)?.classList.add("sending");
  return inTurn(async () => {
    const seen = early ?? rowOf(match)?.dataset.seen ?? "";
    const { several } = one.open;
    const typed = several ? { order: one.a } : { cards_a: one.a, cards_b: one.b };
    const fields = { match, named: one.typed, seen, ...typed, ...one.more };
    const answer = await answered(several ? "enter_places" : "enter", fields);
    rowOf(match)?.classList.remove("sending");
    if (answer.refused) return refused(one, answer.refused, answer.ask);
    for (const old of [...sent]) if (old.state === "refused" && old.open.match === match) putAway(old);
    say(`${match} ${told(one)} ${words.entered}`);
    await refresh();
    one.state = "entered"; // not before the row says so: until then ↓ would still choose it
    one.seen = rowOf(match)?.dataset.seen ?? "";
    return undefined;
  });
}

function refused(one, text, kind) {
  one.state = "refused";
  say("");
  ask(one, text, kind);
  if (!typing() && atLine()) keep(one.typed, one.open, one.a, one.b);
  return refresh();
}

// the newest of this line first; what was refused is only put away
function undo() {
  const one = [...sent].pop();
  if (!one) return say(words.nothing, true);
  sent.delete(one);
  begin();
  return inTurn(async () => {
    const { match } = one.open;
    if (one.state === "refused") {
      question(one)?.remove();
      say(`${match} ${told(one)} ${words.dropped}`);
    } else {
      const answer = await answered("undo", { match, named: one.typed, seen: one.seen });
      await refresh();
      if (answer.refused) return ask({ ...one, state: "undo" }, answer.refused, "");
      say(`${match} ${words.undone}`);
    }
    if (!typing() && atLine()) keep(one.typed, one.open, one.a, one.b);
    return undefined;
  });
}

// the buttons of a row, without a page
function press(form) {
  const fields = Object.fromEntries(new FormData(form));
  const done = fields.still_out ? words.undone : words[form.getAttribute("action").split("/").pop()];
  const [row, action] = [form.closest("li"), form.getAttribute("action").split("/").pop()];
  table.focus();
  return inTurn(async () => {
    const answer = await answered(action, fields);
    if (answer.refused) ask(
      { open: { ...row.dataset }, typed: row.dataset.table, a: "", b: "", state: action }, answer.refused, "");
    else say(`${row.dataset.match} ${done ?? words.entered}`);
    await refresh();
  });
}

// -- what was refused, or is asked about: it stays until somebody has answered ---------------------

let questionsAsked = 0;

function question(one) {
  return one.asked ? document.getElementById(one.asked) : null;
}

function putAway(one) {
  question(one)?.remove();
  sent.delete(one);
}

function button(text, pressed, look = "") {
  const made = document.createElement("button");
  made.type = "button";
  made.className = look;
  made.textContent = text;
  made.addEventListener("click", pressed);
  return made;
}

function ask(one, text, kind) {
  question(one)?.remove();
  one.asked = `question-${++questionsAsked}`;
  const box = document.createElement("li");
  box.id = one.asked;
  box.dataset.match = one.open.match;
  const sentence = document.createElement("p");
  sentence.setAttribute("role", "alert");
  sentence.textContent = text;
  const typed = document.createElement("b");
  typed.textContent = [
    one.open.table && `${words.table} ${one.open.table}`, one.open.match, one.a && told(one),
  ].filter(Boolean).join(" · ");
  box.append(typed, sentence, ...answersTo(one, kind, box));
  questions.append(box);
}

// why the jury's word decides, as on the page of the match; Enter in it is none of the line's
function reason() {
  const label = document.createElement("label");
  const field = document.createElement("input");
  field.name = "why";
  field.size = 30;
  field.addEventListener("keydown", (key) => { if (key.key === "Enter") key.preventDefault(); });
  label.append(`${words.why} `, field);
  return label;
}

function answersTo(one, kind, box) {
  const back = () => owner().focus({ preventScroll: true });
  const close = () => {
    box.remove();
    putAway(one);
    back();
  };
  const why = reason();
  const answer = (text, more) => button(text, () => {
    Object.assign(one.more, more, { why: why.control.value });
    book(one);
    back();
  });
  const change = button(words.no, () => {
    if (typing()) return say(words.unfinished, true);
    close();
    table.value = one.typed;
    return openRow(rowOf(one.open.match), one.a, one.b);
  }, "plain");
  const drop = button(words.drop, close, "plain");
  const { a, b } = one.open;
  if (kind === "sure") return [change, answer(words.yes, { sure: "1" }), drop];
  if (kind === "winner") return [change, why, answer(a, { winner: "a" }), answer(b, { winner: "b" }), drop];
  if (kind === "why") return [change, why, answer(one.more.winner === "a" ? a : b), drop];
  return one.state === "refused" ? [change, drop] : [drop];
}

// -- where the keyboard belongs -------------------------------------------------------------------

function owner() {
  return state === "cards" ? at : table;
}

// a digit or a letter is never for a button or a link; it goes where the line is
function home(key) {
  if (key.target.closest("input, select, textarea") || key.key.length !== 1 || key.key === " ") return;
  owner().focus();
  if (state === "kept") table.select();
}

function documentKey(key) {
  const ours = (line.contains(key.target) && key.target.name !== "why")
    || !key.target.closest("input, select, textarea");
  if (key.ctrlKey || key.metaKey || key.altKey) {
    if (!ours || key.altKey || key.shiftKey || key.key.toLowerCase() !== "z") return;
    key.preventDefault();
    if (!typing()) return undo();
    putAside();
    return say(words.again);
  }
  if (ours && key.key === "Escape") {
    key.preventDefault();
    if (typing()) putAside();
    else begin();
    return table.focus();
  }
  return home(key);
}

if (words && !location.search.includes("stage=")) {
  // the next look at this page shows the same matches, also when their last result is in
  history.replaceState(null, "", `?stage=${encodeURIComponent(words.stage)}`);
}
if (line) {
  line.hidden = false;
  grid.classList.add("scripted");
  line.addEventListener("submit", (event) => {
    event.preventDefault();
    enter();
  });
  table.addEventListener("input", tableTyped);
  table.addEventListener("keydown", tableKey);
  table.addEventListener("blur", () => {
    if (state === "table" && number() && document.activeElement !== table) stick();
  });
  table.addEventListener("click", () => { if (state === "kept") table.select(); });
  for (const field of [cardsA, cardsB]) {
    field.addEventListener("input", () => cardsTyped(field));
    field.addEventListener("keydown", cardsKey);
    field.addEventListener("focus", () => { at = field; });
  }
  table.addEventListener("focus", () => { if (state === "cards") putAside(); });
  grid.addEventListener("submit", (event) => {
    if (event.target.classList.contains("places")) return; // a table of several is sent as it stands
    event.preventDefault();
    if (!event.target.classList.contains("entry")) return press(event.target);
    return typing() ? say(words.unfinished, true) : openRow(event.target.closest("li"));
  });
  document.addEventListener("keydown", documentKey);
  const prepare = () => grid.querySelectorAll("form.entry").forEach((form) => { form.noValidate = true; });
  document.addEventListener("renewed", () => {
    prepare();
    show();
    if (document.activeElement === document.body) owner().focus({ preventScroll: true });
  });
  prepare();
  begin();
  table.focus({ preventScroll: true });
}

// Entering one result after the other: table, cards, Enter. The server judges; here are only keys.
"use strict";

const grid = document.getElementById("grid");
const place = document.getElementById("place");
const table = document.getElementById("table");
const said = document.getElementById("said");
const words = grid?.dataset;
let byTable = true; // the next one is chosen by its table, not the one below
let turn = Promise.resolve(); // results go to the server one after the other

function rowOf(match) {
  return document.getElementById(`row-${match}`);
}

function fieldsOf(row) {
  return [...row.querySelectorAll(".entry input:not([type=hidden])")];
}

function rowAt(field) {
  return field?.closest?.("#grid > li") ?? null;
}

function say(text, bad = false) {
  said.textContent = text;
  said.classList.toggle("bad", bad);
}

// -- where the keyboard goes ----------------------------------------------------------------------

function goTo(row, byItsTable) {
  const [first] = fieldsOf(row);
  first.focus();
  first.select();
  byTable = byItsTable;
}

function toTable() {
  byTable = true;
  table.value = "";
  table.focus();
}

function waits(row) {
  return fieldsOf(row).length > 0 && !row.querySelector(".report") && !row.classList.contains("sending");
}

// a question comes first, then the next row without a result, if rows are gone through in order
function goOn(row) {
  const question = grid.querySelector(".asked");
  if (question) return answerTo(question);
  let next = byTable ? null : row.nextElementSibling;
  while (next && !waits(next)) next = next.nextElementSibling;
  if (next) goTo(next, false);
  else toTable();
}

// rows whose table or match begins so; also those that are done, so that the same keys always do the same
function beginning(text) {
  const wanted = text.toUpperCase();
  return [...grid.children].filter(({ dataset }) => dataset.table.startsWith(wanted) || dataset.match.startsWith(wanted));
}

function exactly(text) {
  const wanted = text.toUpperCase();
  const rows = beginning(text).filter(({ dataset }) => dataset.table === wanted || dataset.match === wanted);
  return rows.find((row) => fieldsOf(row).length) ?? rows[0];
}

function openRow(row) {
  if (!row) {
    table.select();
    return say(words.none, true);
  }
  if (fieldsOf(row).length) {
    say(row.querySelector(".pair").innerText);
    return goTo(row, true);
  }
  table.select();
  say(`${row.dataset.match}: ${words.done}`, true);
}

function tableTyped() {
  const text = table.value.trim();
  if (!text) return;
  const kind = /^\d+$/.test(text) ? "table" : "match";
  const possible = new Set(beginning(text).map((row) => row.dataset[kind]));
  if (!possible.size) openRow(null);
  else if (possible.size === 1 && exactly(text)) openRow(exactly(text));
}

// -- sending --------------------------------------------------------------------------------------

async function post(form, more) {
  const body = new URLSearchParams(new FormData(form));
  for (const [name, value] of Object.entries(more)) body.set(name, value);
  const answer = await fetch(form.getAttribute("action"), { method: "POST", body, headers: { accept: "application/json" } });
  if (!answer.headers.get("content-type").startsWith("application/json")) throw new Error("the login came");
  return answer.json();
}

function send(form, more = {}) {
  const row = rowAt(form);
  const match = row.dataset.match;
  row.classList.add("sending");
  row.classList.remove("asked");
  row.querySelector(".ask")?.remove();
  const sent = new URLSearchParams(new FormData(form)); // as it was typed
  turn = turn.then(async () => {
    const answer = await post(form, { ...Object.fromEntries(sent), ...more }).catch(() => null);
    row.classList.remove("sending");
    if (!answer) return ask(rowOf(match), words.lost, "");
    if (answer.refused) return ask(rowOf(match), answer.refused, answer.ask);
    for (const field of fieldsOf(rowOf(match))) field.value = "";
    if (sent.has("cards_a")) say(`${match} ${sent.get("cards_a")}:${sent.get("cards_b")} ${words.entered}`);
    else say(`${match} ${form.action.endsWith("undo") ? words.undone : words.entered}`);
    await refresh();
  });
  return turn;
}

function restOf(row) {
  const [a] = fieldsOf(row);
  return a.value && row.dataset.dealt ? String(Math.max(0, Number(row.dataset.dealt) - Number(a.value))) : "";
}

function enter(row) {
  const [a, b] = fieldsOf(row);
  if (!a.value) return goOn(row);
  if (!b.value) b.value = restOf(row);
  if (!b.value) return b.focus(); // nobody knows how many cards the deck has
  const impossible = Number(a.value) + Number(b.value) > Number(row.dataset.most);
  send(row.querySelector(".entry"));
  if (!impossible) goOn(row); // else the server says why, and the keyboard stays
  return undefined;
}

// -- what was refused, or is asked about ----------------------------------------------------------

function button(text, pressed) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = text;
  made.addEventListener("click", pressed);
  return made;
}

// the row may have been written anew meanwhile, so it is looked for when somebody answers
function answersOf(match, kind) {
  const again = button(words.no, () => {
    const row = rowOf(match);
    row.classList.remove("asked");
    row.querySelector(".ask").remove();
    if (fieldsOf(row).length) goTo(row, byTable);
    else goOn(row);
  });
  again.className = "plain";
  const answer = (text, more) => button(text, () => {
    const row = rowOf(match);
    const form = row.querySelector(".entry");
    if (!form) return again.click(); // somebody else has entered it
    send(form, more);
    return goOn(row);
  });
  const { a, b } = rowOf(match).dataset;
  if (kind === "sure") return [again, answer(words.yes, { sure: "1" })];
  if (kind === "winner") return [again, answer(a, { winner: "a" }), answer(b, { winner: "b" })];
  return [again];
}

// what is refused stays at its row until somebody has answered, whatever else succeeds meanwhile
function ask(row, text, kind) {
  say(text, true);
  row.querySelector(".ask")?.remove();
  const box = document.createElement("div");
  box.className = "ask";
  const sentence = document.createElement("p");
  sentence.setAttribute("role", "alert");
  sentence.textContent = text;
  box.append(sentence, ...answersOf(row.dataset.match, kind));
  row.append(box);
  row.classList.add("asked");
  const at = document.activeElement;
  const busy = at !== document.body && at.value && rowAt(at) !== row;
  if (!busy) answerTo(row);
  return fieldsOf(row).length ? undefined : refresh();
}

function answerTo(row) {
  row.querySelector(".ask button").focus();
  row.scrollIntoView({ block: "nearest" });
}

// -- keys -----------------------------------------------------------------------------------------

const BETWEEN = [" ", ":", "-", ",", ";", "."];

function keyInRow(key, row) {
  const [a, b] = fieldsOf(row);
  const field = key.target;
  const steps = { ArrowDown: "nextElementSibling", ArrowUp: "previousElementSibling" };
  if (steps[key.key]) {
    let next = row[steps[key.key]];
    while (next && !fieldsOf(next).length) next = next[steps[key.key]];
    if (next) goTo(next, false);
  } else if (key.key === "Escape") {
    a.value = b.value = b.placeholder = "";
    toTable();
  } else if (BETWEEN.includes(key.key) || (key.key === "Tab" && field === b && !b.value && field.dataset.came)) {
    delete field.dataset.came; // the hand has not noticed that it is there already
    if (field === a && a.value) b.focus();
  } else if (key.key === "Backspace" && field === b && !b.value) {
    a.focus();
  } else {
    return;
  }
  key.preventDefault();
}

function typedInRow(field, row) {
  field.value = field.value.replace(/\D/g, "");
  const [a, b] = fieldsOf(row);
  const most = Number(row.dataset.most);
  if (field !== a) return;
  b.placeholder = restOf(row);
  const whole = a.value.length === 2 || Number(a.value) * 10 > most;
  if (!whole) return;
  b.dataset.came = "1";
  b.focus();
  b.select();
}

function undoLast() {
  turn = turn.then(async () => {
    const answer = await undoRequest().catch(() => ({ refused: words.lost }));
    await refresh();
    if (answer.refused) return say(answer.refused, true);
    say(`${answer.match} ${words.undone}`);
    const row = rowOf(answer.match);
    if (row && fieldsOf(row).length) goTo(row, byTable);
    return undefined;
  });
}

async function undoRequest() {
  const body = new URLSearchParams({ csrf: words.csrf, match: "" });
  const answer = await fetch("/desk/do/undo", { method: "POST", body, headers: { accept: "application/json" } });
  return answer.json();
}

if (words && !location.search.includes("stage=")) {
  // the next look at this page shows the same matches, also when their last result is in
  history.replaceState(null, "", `?stage=${encodeURIComponent(words.stage)}`);
}
if (place) {
  place.hidden = false;
  place.addEventListener("submit", (event) => {
    event.preventDefault();
    if (table.value.trim()) openRow(exactly(table.value.trim()));
  });
  table.addEventListener("input", tableTyped);
  table.addEventListener("keydown", (key) => {
    if (key.key !== " " && key.key !== "ArrowDown") return;
    key.preventDefault();
    if (table.value.trim()) openRow(exactly(table.value.trim()));
    else if (key.key === "ArrowDown") {
      const first = [...grid.children].find(waits);
      if (first) goTo(first, false);
    }
  });
  grid.addEventListener("submit", (event) => {
    event.preventDefault();
    if (event.target.classList.contains("entry")) enter(rowAt(event.target));
    else send(event.target);
  });
  grid.addEventListener("keydown", (key) => {
    const row = rowAt(key.target);
    if (row && fieldsOf(row).includes(key.target)) keyInRow(key, row);
  });
  grid.addEventListener("focusin", (event) => {
    if (rowAt(event.target) !== rowAt(event.relatedTarget)) byTable = false;
  });
  grid.addEventListener("input", (event) => typedInRow(event.target, rowAt(event.target)));
  document.addEventListener("keydown", (key) => {
    if (!(key.ctrlKey || key.metaKey) || key.key.toLowerCase() !== "z" || key.target.value) return;
    key.preventDefault();
    undoLast();
  });
  const prepare = () => grid.querySelectorAll("form.entry").forEach((form) => { form.noValidate = true; });
  document.addEventListener("desk", () => {
    prepare();
    if (document.activeElement === document.body) table.focus({ preventScroll: true });
  });
  prepare();
  table.focus({ preventScroll: true });
}

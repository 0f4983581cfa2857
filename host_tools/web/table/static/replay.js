// A finished match, step by step: what the box said, its screen, and the cards on the table.

import { data, get, make, say } from "./net.js";
import { fromRows, paint } from "./oled.js";
import { GAMES } from "./games.js";
import { middleOf } from "./middle.js";

const NEAR = 25; // chunks on either side that are fetched before anybody asks
const SETTLED_MS = 500;
const REFILL_MS = 10_000;
const KEYS = { ArrowRight: 1, ArrowLeft: -1, PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity };

const at = (id) => document.getElementById(id);
const replay = await get(`/r/${data.number}/steps`);
const count = replay.steps.length;
const lines = replay.steps.map((step) =>
  make("li", { "data-n": step.n, class: step.refused ? "refused" : step.undone ? "undone" : "" },
    `${step.time}  ${step.text}`));
const views = new Map(); // place -> what box and table looked like there
let place = Math.min(data.at, count);
let screen = 0; // how many messages of this step were read away with OK

// -- the sentence ----------------------------------------------------------------------------

function showStep() {
  at("at").value = place;
  at("at").setAttribute("aria-valuetext", `${say("step")} ${place} ${say("of")} ${count}`);
  at("step-title").textContent = `${say("step")} ${place} ${say("of")} ${count}`;
  const step = replay.steps[place - 1];
  at("told").textContent = step ? `${step.time}  ${step.text}` : "–";
  at("told").classList.toggle("refused", Boolean(step?.refused));
  at("awaits").textContent = step && step.awaits.for !== "nothing" ? awaited(step.awaits) : "";
  at("back").disabled = at("first").disabled = place === 0;
  at("next").disabled = at("last").disabled = place === count;
  at("news").querySelector(".now")?.classList.remove("now");
  lines[place - 1]?.classList.add("now");
  showLine(lines[Math.max(place - 1, 0)]);
}

/** Only the list scrolls, never the page. */
function showLine(line) {
  const list = at("news");
  if (line) list.scrollTop = line.offsetTop - list.offsetTop - list.clientHeight / 2;
}

function awaited({ seat, for: what }) {
  return seat === null ? say(`for_${what}`) : say("wait_for", replay.names[seat], say(`for_${what}`));
}

// -- box and table ---------------------------------------------------------------------------

/** What was seen last stays, greyed, until the server has drawn this place. */
function showView() {
  const view = views.get(place);
  at("views").classList.toggle("late", !view);
  if (!view) return;
  showScreen(view.screens);
  const match = matchOf(view);
  at("seats").replaceChildren(...match.seats.map((seat, number) => seatLine(seat, match.awaited === number)));
  at("middle").replaceChildren(...middleOf(match, null));
  at("views").dataset.place = place;
}

function showScreen(screens) {
  const { rows, lines: texts } = screens[screen];
  paint(at("oled"), fromRows(rows));
  at("oled").dataset.rows = rows;
  at("screen-text").replaceChildren(
    ...texts.map((line) => make("p", {}, (line.lit ? "» " : "") + line.text.replace("\t", ": "))));
  at("ok").disabled = screen === screens.length - 1;
  at("screen-count").textContent = screens.length > 1 ? say("screen_of", screen + 1, screens.length) : "";
}

function matchOf({ seats, middle }) {
  return {
    game: replay.game,
    awaited: replay.steps[place - 1]?.awaits.seat,
    seats: seats.map((seat, number) => ({ ...seat, name: replay.names[number] })),
    middle,
    fixed: replay,
    face: (code) => replay.faces[code],
    who: (seat) => replay.names[seat],
  };
}

function seatLine(seat, turn) {
  const { thing, scoreIsCards } = GAMES[replay.game];
  const marks = [];
  if (seat.gain) marks.push(make("span", { class: "gain" }, seat.gain > 0 ? `+${seat.gain}` : `−${-seat.gain}`));
  if (seat.won) marks.push(make("strong", { class: "won" }, `★ ${say("wins")}`));
  if (seat.place) marks.push(make("strong", { class: "place" }, say("place", seat.place)));
  const count = say(seat.cards === 1 ? `one_${thing}` : `many_${thing}`, seat.cards);
  const score = scoreIsCards && seat.score === seat.cards ? count : seat.score; // a forfeit counts 12 : 0
  if (score !== count) marks.unshift(make("span", { class: "count" }, count));
  return make("li", { class: turn ? "turn" : "", "aria-current": turn ? "true" : false },
    seat.name, make("span", { class: "score" }, String(score)), ...marks);
}

// -- fetching --------------------------------------------------------------------------------

let fetching = false;

/** One chunk after the other; whoever jumps comes first. */
async function fetchViews() {
  if (fetching) return;
  fetching = true;
  try {
    for (let first = missing(); first !== undefined; first = missing()) {
      const chunk = await get(`/r/${data.number}/views/${first}`);
      chunk.forEach((view, offset) => views.set(first + offset, view));
      if (first <= place && place < first + chunk.length) showView();
    }
  } catch {
    // told in the alert line; the next step tries again
  } finally {
    fetching = false;
  }
}

/** Where the nearest chunk begins that is not here yet: this one, those behind, those before. */
function missing() {
  const here = place - (place % replay.chunk);
  const behind = Array.from({ length: NEAR }, (_, number) => here + number * replay.chunk);
  const before = Array.from({ length: NEAR }, (_, number) => here - (NEAR - number) * replay.chunk);
  return [...behind, ...before].find((first) => first >= 0 && first <= count && !views.has(first));
}

// -- going -----------------------------------------------------------------------------------

let spare = 30; // browsers refuse more than about 100 new addresses in 30 s
let telling = 0;

/** The position stands in the link. */
function tellAddress() {
  clearTimeout(telling);
  if (!spare) {
    telling = setTimeout(tellAddress, SETTLED_MS);
    return;
  }
  spare -= 1;
  setTimeout(() => { spare += 1; }, REFILL_MS);
  history.replaceState(null, "", `?key=${encodeURIComponent(data.key)}&at=${place}`);
}

function go(to) {
  place = Math.max(0, Math.min(count, to));
  screen = 0;
  showStep();
  showView();
  tellAddress();
  fetchViews();
}

/** OK on the box: the next message, or what lies below. */
function readOn() {
  if (at("ok").disabled) return;
  screen += 1;
  showView();
}

function onKey(event) {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key === "Enter" && !event.target.closest("button, a")) readOn();
  if (!(event.key in KEYS) || event.target.matches("input")) return; // the slider has keys of its own
  event.preventDefault();
  go(place + KEYS[event.key]);
}

at("title").textContent = replay.title;
at("result").textContent = replay.result;
at("judged").textContent =
  replay.differs === null ? say("agrees") : replay.differs ? say("differs", replay.differs) : say("no_answers");
at("damaged").textContent = replay.damaged ? say("damaged", replay.damaged) : "";
at("at").max = count;
at("news").append(...lines);
at("news").addEventListener("click", (event) => {
  const line = event.target.closest("li");
  if (line) go(Number(line.dataset.n));
});
at("first").addEventListener("click", () => go(0));
at("back").addEventListener("click", () => go(place - 1));
at("next").addEventListener("click", () => go(place + 1));
at("last").addEventListener("click", () => go(count));
at("ok").addEventListener("click", readOn);
at("at").addEventListener("input", () => go(Number(at("at").value)));
document.addEventListener("keydown", onKey);
go(place);

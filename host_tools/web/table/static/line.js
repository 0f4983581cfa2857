// The line to the table: what it tells, and what people do. While it is cut the page says so, and what was pressed on
// a hand is held, or given back, in sight. Every message has a number of its own: sent again, it is done once.

import { Cut, data, link, make, post, problem, say } from "./net.js";
import { redraw } from "./keep.js";

const SILENCE_MS = 4000; // the server says something every 1.5 s
const MOST_PATIENCE_MS = 16000;
const LOOK_MS = 500;
const AGAIN_MS = 1000;
const ANSWER_MS = 8000; // the table takes 5 s at most: what gets no answer by then goes again, over another connection
const LATE_MS = 3000; // what is no card may wait so long: a button that goes down later would mean something else
const NUMBER_BYTES = 12;
const [REFUSED, MISSING] = [403, 404];
const BACK_MS = 10000; // so long the page says that the server was started again
const now = () => performance.now();
const row = document.getElementById("line");
let source = null; // the stream that is open, or on its way
let told = {}; // kind of news -> what is done with it
let changed = () => {};
let openedAt = 0;
let patience = SILENCE_MS; // so long a way back may take
let heardAt = 0; // 0: nothing yet
let cut = false;
let gone = false; // this page hears the table no more
let again = 0;
let life = ""; // of the server: another one once it was started again
let backAt = -Infinity; // when the page heard of that
let flight = null; // the request under way
let held = null; // the message that waits for the line
let waiters = []; // messages that wait for the line, with what is done then
const returned = new WeakSet(); // messages that somebody took back
let last = Promise.resolve();

/** Is this page of no table any more? */
export function isGone() {
  return gone;
}

/** Does nothing get through? */
export function isCut() {
  return cut;
}

/** The card that waits for the line. */
export function heldCard() {
  return held?.code;
}

/** Hear the table from now on; `onChange()` when the line breaks, comes back, or holds something. */
export function listen(acts, onChange) {
  [told, changed] = [acts, onChange];
  open();
  setInterval(look, LOOK_MS);
  addEventListener("offline", lost);
  addEventListener("online", open);
  addEventListener("pageshow", (event) => event.persisted && open());
}

/** Hear everything once more: some of it is older than what was fetched. */
export function hearAgain() {
  if (!cut) open();
}

/** Hear nothing more, and do not come back. */
export function hangUp() {
  gone = true;
  source?.close();
}

function open() {
  if (gone) return;
  clearTimeout(again);
  source?.close();
  openedAt = now();
  const mine = new EventSource(link(`/t/${data.table}/events`));
  source = mine;
  for (const kind of ["beat", ...Object.keys(told)]) {
    mine.addEventListener(kind, (event) => {
      if (mine !== source) return;
      heard();
      const content = JSON.parse(event.data);
      if (kind === "state") follow(content.life);
      whenReleased(() => told[kind]?.(content));
    });
  }
  mine.onerror = () => mine === source && lost();
}

function heard() {
  heardAt = now();
  patience = SILENCE_MS;
  if (!cut) return;
  cut = false;
  const waited = waiters;
  waiters = [];
  waited.forEach(({ done }) => done(true));
  show();
}

/** The table was closed and is open again, with all that was on it. */
function follow(started) {
  if (life && started !== life) {
    backAt = now();
    setTimeout(show, BACK_MS);
    show();
  }
  life = started;
}

/** A server that is there and does not know this link will never know it: the page says so, and stops trying. */
async function stillOpens() {
  try {
    const path = link(`/t/${data.table}`);
    const { status } = await fetch(path, { method: "HEAD" });
    if (status !== REFUSED && status !== MISSING) return;
    const answer = await fetch(path);
    if (answer.ok || gone) return;
    hangUp();
    row?.replaceChildren(await answer.text());
  } catch {
    // not there yet
  }
}

/** A stream that is dead says nothing; a way back that hangs is tried anew. Each has twice the time of the last:
 * where all is slow, one that is given up too early would never arrive.
 */
function look() {
  if (gone) return;
  if (!cut) {
    if (heardAt && now() - heardAt > SILENCE_MS) lost();
  } else if (source && now() - openedAt > patience) {
    patience = Math.min(2 * patience, MOST_PATIENCE_MS);
    open();
  }
}

function lost() {
  if (gone) return;
  source?.close();
  source = null;
  flight?.abort();
  clearTimeout(again);
  again = setTimeout(open, AGAIN_MS);
  if (cut) {
    stillOpens();
    return;
  }
  cut = true;
  show();
}

/** True once the line is back; false if `limit` milliseconds pass before, or somebody takes the message back. */
function isBack(message, limit) {
  return new Promise((done) => {
    waiters.push({ message, done });
    if (limit !== undefined) setTimeout(() => done(false), limit);
  });
}

function show() {
  whenReleased(showNow);
}

function showNow() {
  if (row) {
    const isAgain = !cut && now() - backAt < BACK_MS;
    redraw(row, ...(cut ? [say("lost")] : isAgain ? [say("came_back")] : []),
      ...(held ? [make("span", {}, ` ${say("held", nameOf(held))} `),
        make("button", { type: "button", onclick: giveBack }, say("give_back"))] : []));
  }
  document.documentElement.classList.toggle("cut", cut);
  changed();
}

function nameOf(message) {
  return message?.code ?? message?.labels?.join(" ") ?? "";
}

function giveBack() {
  const message = held;
  returned.add(message);
  letGo(message);
  waiters.find((one) => one.message === message)?.done(false);
  problem(say("given_back", nameOf(message)));
}

function letGo(message) {
  if (held !== message) return;
  held = null;
  show();
}

/** What was pressed on a hand as it was drawn may wait: the table refuses it once more was decided. */
function mayWait(message) {
  return message.at !== undefined;
}

/** One message after the other, so that a button never goes up before it goes down. */
export function send(message) {
  if (cut && (held || !mayWait(message))) {
    problem(say("not_sent"));
    return last;
  }
  if (cut) hold(message);
  last = last.then(() => deliver(message));
  return last;
}

function hold(message) {
  held = message;
  show();
}

async function deliver(message) {
  const bytes = crypto.getRandomValues(new Uint8Array(NUMBER_BYTES)); // randomUUID wants HTTPS
  const path = `/t/${data.table}/do?once=${[...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
  const since = now();
  while (!returned.has(message) && (!cut || await mayGoOn(message, since))) {
    letGo(message);
    flight = new AbortController();
    try {
      await post(path, JSON.stringify(message), AbortSignal.any([flight.signal, AbortSignal.timeout(ANSWER_MS)]));
      return;
    } catch (error) {
      if (!(error instanceof Cut)) return; // told in the alert line
      lost();
    }
  }
}

/** Wait for the line with a message that may have arrived or not. */
async function mayGoOn(message, since) {
  if (mayWait(message)) {
    hold(message);
    return isBack(message);
  }
  const goOn = await isBack(message, Math.max(0, LATE_MS - (now() - since)));
  if (!goOn) problem(say("perhaps_sent"));
  return goOn;
}

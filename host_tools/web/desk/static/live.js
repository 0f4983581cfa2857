// Keeps a page of the board up to date: parts come ready from the server and replace the old ones.
"use strict";

const page = document.body.dataset;
const offline = document.getElementById("offline");
const AGAIN_S = page.turn ? 3 : 20; // a screen of the hall must show a call soon
const CACHED_MS = 1000; // so long a cache may keep a page (snapshots.py: FRESH)
const SILENT_MS = 10000; // two messages in a row did not come (live.py: PING_S)
let seq = Number(page.seq);
let told = seq; // where the log stood when the server spoke last
let clockAheadMs = 0; // the server's clock against this browser's
let heardMs = Date.now(); // when the server said something last

// old lines and new text -> the new part; null: what is here is not what the server thinks
function renewed(html, { was, now }) {
  const old = html.split("\n");
  if (was !== undefined && was !== old.length) return null;
  const lines = [];
  let behind = 0; // the lines that were copied last
  for (let n = 0; n < now.length; n += 1) {
    if (typeof now[n] === "string") lines.push(now[n]);
    else {
      const first = behind + now[n];
      behind = first + now[n + 1];
      lines.push(...old.slice(first, behind));
      n += 1;
    }
  }
  return lines.join("\n");
}

// false: this page must be loaded anew
function replaceParts(parts) {
  for (const [name, delta] of Object.entries(parts)) {
    const place = document.getElementById("part-" + name);
    if (!place) continue;
    const html = renewed(place.innerHTML, delta);
    if (html === null) return false;
    place.innerHTML = html;
    place.classList.remove("fresh");
    void place.offsetWidth; // restarts the animation
    place.classList.add("fresh");
  }
  return true;
}

async function loadAgain() {
  const answer = await fetch(location.href, { cache: "no-store" });
  const next = new DOMParser().parseFromString(await answer.text(), "text/html");
  seq = Number(next.body.dataset.seq);
  page.shape = next.body.dataset.shape;
  const focused = document.activeElement;
  for (const place of ["main", "header", "#part-said", "#part-age"]) {
    const [old, fresh] = [document.querySelector(place), next.querySelector(place)];
    if (!old || !fresh) continue; // an overlay has only its picture
    for (const field of old.querySelectorAll("input[name]")) { // somebody may be typing
      fresh.querySelector(`[name="${field.name}"]`)?.replaceWith(field);
    }
    old.replaceWith(fresh);
  }
  focused.focus({ preventScroll: true });
  refresh();
}

function sayOffline() {
  const at = new Date(heardMs + clockAheadMs);
  offline.textContent = offline.dataset.said.replace("{at}",
    `${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}`);
  offline.hidden = false;
}

function hear(message) {
  heardMs = Date.now();
  const news = JSON.parse(message.data);
  if (news.now) clockAheadMs = Date.parse(news.now) - Date.now();
  told = news.hello ?? news.seq ?? told;
  if (news.again || (news.hello ?? seq) !== seq || // less: the desk was started again
    news.since > seq) return catchUp();
  if (news.parts && news.seq > seq) {
    if (!replaceParts(news.parts)) return catchUp();
    seq = news.seq;
  }
  offline.hidden = !behind; // a message says nothing of what could not be loaded before
  return refresh();
}

let behind = false; // the page is older than what was told

function catchUp() {
  behind = true;
  return loadAgain().then(
    () => {
      behind = seq < told; // a cache may have the old page for a second more
      offline.hidden = true;
      if (behind) setTimeout(retry, CACHED_MS);
    },
    () => { sayOffline(); setTimeout(retry, AGAIN_S * 1000); });
}

function retry() {
  if (behind) catchUp();
}

function refresh() {
  const now = new Date(Date.now() + clockAheadMs);
  refreshTimers(now.getTime());
  for (const clock of document.querySelectorAll("[data-clock]")) {
    clock.textContent = `${twoDigits(now.getHours())}:${twoDigits(now.getMinutes())}`;
  }
  document.dispatchEvent(new Event("board"));
}

// -- without a stream: too many listen, or a cache is in front (docs/scale.md) ------------------

const POLL_MS = 2000;
const POLLS = 60; // then a stream is tried again
let shown = ""; // the name of the snapshot on the page
const raw = {}; // part -> its text there, as it came

async function takeSnapshot() {
  const latest = await answerOf(`${page.at}/snapshot?page=${encodeURIComponent(page.page)}&lang=${page.lang}`);
  if (latest.snapshot !== shown) {
    const { shape, parts } = await answerOf(`${page.at}/snapshot/${latest.snapshot}.json`);
    if (shape !== page.shape) await loadAgain(); // a cache may have the old page for a second more
    if (shape === page.shape) {
      showParts(parts);
      shown = latest.snapshot;
    }
  }
  heardMs = Date.now();
  offline.hidden = true;
  refresh();
}

async function answerOf(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(address);
  return answer.json();
}

function showParts(parts) {
  const here = (name) => raw[name] ?? document.getElementById("part-" + name)?.innerHTML;
  const news = Object.entries(parts).filter(([name, html]) => html !== here(name));
  Object.assign(raw, parts);
  // lines to copy there are none: all of it is new
  replaceParts(Object.fromEntries(news.map(([name, html]) => [name, { now: [html] }])));
}

async function poll(left = POLLS) {
  if (left === 0) return listen();
  try {
    await takeSnapshot();
  } catch {
    sayOffline();
  }
  // not all at the same moment
  return setTimeout(() => poll(left - 1), POLL_MS * (0.75 + Math.random() / 2));
}

let stream;
let openedMs;

function listen() {
  openedMs = Date.now();
  stream = new EventSource(`${page.at}/live?page=${page.page}&lang=${page.lang}`);
  stream.onmessage = hear;
  stream.onerror = (event) => {
    if (event.target.readyState === EventSource.CLOSED) return poll();
    return sayOffline(); // the browser tries again by itself
  };
}

// a line that is gone without a word ends by itself only after minutes
function checkLine() {
  if (stream.readyState === EventSource.CLOSED || Date.now() - Math.max(heardMs, openedMs) < SILENT_MS) return;
  stream.close();
  sayOffline();
  setTimeout(listen, AGAIN_S * 1000);
}

listen();
setInterval(checkLine, 1000);
setInterval(refresh, 500);
refresh();

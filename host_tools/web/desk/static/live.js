// Keeps a page up to date: the server says that it has changed, it is fetched again, and what is live of it is morphed
// in place. Behind a cache, which shares no streams, the page is asked for every two seconds instead (docs/scale.md).
"use strict";

const page = document.body.dataset;
const offline = document.getElementById("offline");
const AGAIN_MS = 3000; // a screen of the hall must show a call soon
const CACHED_MS = 2000; // so long a cache may keep a page (content.py: FRESH)
const ANSWER_MS = 20_000; // a line that is gone without a word never answers
const SILENT_MS = 10000; // two messages in a row did not come (live.py: PING_S)
let shown = page.version ?? ""; // the version of what is here; a page of the board has it of its ETag
let clockAheadMs = 0; // the server's clock against this browser's
let heardMs = Date.now(); // when the server said something last

// -- morphing -------------------------------------------------------------------------------------

const PIECES = ".part, [data-live] > *";
const written = new WeakMap(); // piece -> its HTML as the server wrote it, before scripts and hands changed it
let changedParts = [];

function remember(root) {
  for (const piece of root.querySelectorAll(PIECES)) written.set(piece, piece.outerHTML);
  if (root.matches?.(PIECES)) written.set(root, root.outerHTML);
}

function isTyped(node) {
  if (node.matches("select")) return [...node.options].some((one) => one.selected !== one.defaultSelected);
  return node.matches("input:not([type=hidden]), textarea")
    && (node.value !== node.defaultValue || node.checked !== node.defaultChecked);
}

const MORPH = {
  ignoreActiveValue: true,
  callbacks: {
    beforeNodeMorphed(old, fresh) {
      if (old.nodeType !== Node.ELEMENT_NODE) return true;
      if (isTyped(old)) return false;
      if (!old.matches(PIECES)) return true;
      const html = fresh.outerHTML;
      if (written.get(old) === html) return false; // what scripts have made of it stays
      written.set(old, html);
      if (old.matches(".part")) changedParts.push(old);
      return true;
    },
    afterNodeAdded(node) {
      if (node.nodeType === Node.ELEMENT_NODE) remember(node);
    },
    // which slide is shown, and how far it has been turned, the screen's own script says
    beforeAttributeUpdated: (_name, node) => !node.hasAttribute("data-own"),
  },
};

function morphPage(next) {
  changedParts = [];
  for (const old of document.querySelectorAll("[data-live]")) {
    const fresh = next.getElementById(old.id);
    if (!fresh) throw new Error("another page came"); // the login, or a page without it
    Idiomorph.morph(old, fresh, MORPH);
  }
  for (const part of changedParts) {
    part.classList.remove("fresh");
    void part.offsetWidth; // restarts the animation
    part.classList.add("fresh");
  }
  tick();
  document.dispatchEvent(new CustomEvent("renewed", { detail: next }));
}

// -- bringing up to date --------------------------------------------------------------------------

async function answerAt(address) {
  const signal = AbortSignal.timeout(ANSWER_MS);
  const answer = await fetch(address, { cache: "no-cache", headers: { "x-live": "1" }, signal });
  if (!answer.ok) throw new Error(answer.status);
  return answer;
}

async function documentOf(answer) {
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

async function bringUpToDate() {
  const answer = await answerAt(location.href);
  const tag = answer.headers.get("etag");
  if (tag && tag === shown) return;
  const next = await documentOf(answer);
  await new Promise(whenReleased);
  morphPage(next);
  shown = tag ?? next.body.dataset.version;
}

function sayOffline() {
  offline.textContent = offline.dataset.said.replace("{at}", timeOfDay(new Date(heardMs + clockAheadMs)));
  offline.hidden = false;
}

let loading = null;
let again = false;
let behind = false; // what was told could not be loaded

// one at a time; who asks meanwhile gets the next one
function refresh() {
  again = true;
  loading ??= (async () => {
    try {
      while (again) {
        again = false;
        await bringUpToDate();
      }
      behind = false;
      offline.hidden = true;
    } catch {
      behind = true;
      sayOffline();
      setTimeout(refresh, AGAIN_MS);
    } finally {
      loading = null;
    }
  })();
  return loading;
}

async function hear(message) {
  heardMs = Date.now();
  const { version, now } = JSON.parse(message.data);
  if (now) clockAheadMs = Date.parse(now) - Date.now();
  if (!behind) offline.hidden = true;
  if (!version || version === shown) return;
  await refresh();
  if (version !== shown && !behind) setTimeout(refresh, CACHED_MS); // a cache had the page of before
}

// -- the stream -----------------------------------------------------------------------------------

let stream;
let openedMs;

function listen() {
  openedMs = Date.now();
  const here = location.pathname.slice(page.at.length) + location.search;
  stream = new EventSource(`${page.stream}?page=${encodeURIComponent(here)}`);
  stream.onmessage = hear;
  stream.onerror = ({ target }) => {
    if (target.readyState === EventSource.CLOSED) return poll();
    return sayOffline(); // the browser tries again by itself
  };
}

// a line that is gone without a word ends by itself only after minutes
function checkLine() {
  if (stream.readyState === EventSource.CLOSED || Date.now() - Math.max(heardMs, openedMs) < SILENT_MS) return;
  stream.close();
  sayOffline();
  setTimeout(listen, AGAIN_MS);
}

const POLL_MS = 2000;
const POLLS = 60; // then a stream is tried again

// without a stream: too many listen, or a cache is in front
async function poll(left = POLLS) {
  if (left === 0) return listen();
  try {
    await bringUpToDate();
    heardMs = Date.now();
    offline.hidden = true;
  } catch {
    sayOffline();
  }
  // not all at the same moment
  return setTimeout(poll, POLL_MS * (0.75 + Math.random() / 2), left - 1);
}

// -- what runs by the clock -----------------------------------------------------------------------

function timeOfDay(at) {
  return `${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}`;
}

function tick() {
  const now = new Date(Date.now() + clockAheadMs);
  refreshTimers(now.getTime());
  for (const clock of document.querySelectorAll("[data-clock]")) {
    clock.textContent = timeOfDay(now);
  }
  for (const offer of document.querySelectorAll("[data-until]")) offer.hidden = Date.parse(offer.dataset.until) < now;
  document.dispatchEvent(new Event("tick"));
}

remember(document);
listen();
setInterval(checkLine, 1000);
setInterval(tick, 500);
tick();

// The desk: timers run, pages bring themselves up to date, and the field at the top finds everything.
"use strict";

const page = document.body.dataset;
const hint = document.getElementById("news");
let clockAheadMs = 0; // the server's clock against this browser's

function tick() {
  refreshTimers(Date.now() + clockAheadMs);
  for (const offer of document.querySelectorAll("[data-until]")) {
    offer.hidden = Date.parse(offer.dataset.until) < Date.now() + clockAheadMs;
  }
}

// -- what changed: the page is asked for again, and its live parts replace those that differ ------

const written = new WeakMap(); // element -> its HTML as the server wrote it, before scripts changed it

function remember(part) {
  for (const child of part.children) written.set(child, child.outerHTML);
}

async function loadPage(address) {
  const answer = await fetch(address, { cache: "no-store", headers: { "x-live": "1" } });
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

// where the keyboard is, so that it can go on in what replaces it
function placeIn(part) {
  const at = document.activeElement;
  if (!part.contains(at)) return "";
  const row = at.closest("[id]");
  const own = at.name ? `[name="${at.name}"]` : at.hasAttribute("href") ? `[href="${at.getAttribute("href")}"]` : "";
  return own && `#${CSS.escape(row.id)} ${own}`;
}

// what is being typed stays
function keepTyped(old, fresh) {
  for (const field of old.querySelectorAll("input:not([type=hidden])")) {
    const twin = fresh.querySelector(`input[name="${field.name}"]`);
    if (twin) twin.value = field.value;
  }
}

function renew(part, fresh) {
  const at = placeIn(part);
  const news = [...fresh.children];
  const html = news.map((child) => child.outerHTML);
  const same = news.length === part.children.length && news.every((child, n) => child.id === part.children[n].id);
  news.forEach((child, n) => {
    const old = child.id ? document.getElementById(child.id) : part.children[n];
    if (same && written.get(old) === html[n]) return;
    written.set(child, html[n]);
    if (old) keepTyped(old, child);
    if (same) old.replaceWith(child);
  });
  if (!same) part.replaceChildren(...news);
  if (at && !part.contains(document.activeElement)) document.querySelector(at)?.focus();
}

async function bringUpToDate() {
  const next = await loadPage(location.href);
  for (const part of document.querySelectorAll("[data-live]")) {
    const fresh = next.getElementById(part.id);
    if (!fresh) throw new Error("another page came"); // the login, or a page without it
    renew(part, fresh);
  }
  page.seq = next.body.dataset.seq;
  tick();
  document.dispatchEvent(new Event("desk"));
}

let loading = null;
let again = false;

// one at a time; who asks meanwhile gets the next one
function refresh() {
  again = true;
  loading ??= (async () => {
    try {
      while (again) {
        again = false;
        await bringUpToDate();
      }
    } catch {
      hint.hidden = false;
    } finally {
      loading = null;
    }
  })();
  return loading;
}

// -- a table wants the jury ------------------------------------------------------------------------

const jury = document.getElementById("jury");

function ring() {
  const sound = new AudioContext();
  for (const [n, hertz] of [880, 660, 880, 660].entries()) {
    const [tone, volume] = [sound.createOscillator(), sound.createGain()];
    tone.frequency.value = hertz;
    volume.gain.value = 0.2;
    tone.connect(volume).connect(sound.destination);
    tone.start(sound.currentTime + n * 0.25);
    tone.stop(sound.currentTime + n * 0.25 + 0.2);
  }
}

async function callJury() {
  const next = await loadPage(`${page.at}/desk/hall`).catch(() => null);
  const fresh = next?.getElementById("jury");
  if (!fresh) return;
  const before = new Set([...jury.children].map((call) => call.textContent));
  const more = [...fresh.children].some((call) => !before.has(call.textContent));
  jury.replaceChildren(...fresh.children);
  if (more) ring();
}

// -- is what stands here up to date? ----------------------------------------------------------------

const SILENT_MS = 10000; // two messages in a row did not come (live.py: PING_S)
const AGAIN_MS = 3000;
const age = document.getElementById("age");
let heardMs = Date.now(); // when the server said something last
let lost = false;
let stream;
let openedMs;

async function loadAge() {
  const fresh = (await loadPage(`${page.at}/desk/hall`).catch(() => null))?.getElementById("age");
  if (!fresh) return;
  [age.textContent, age.hidden] = [fresh.textContent, fresh.hidden];
}

function sayLost() {
  const at = new Date(heardMs + clockAheadMs);
  age.textContent = age.dataset.said.replace("{at}", `${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}`);
  age.hidden = false;
  lost = true;
}

function checkLine() {
  if (stream.readyState === EventSource.CLOSED || Date.now() - Math.max(heardMs, openedMs) < SILENT_MS) return;
  stream.close();
  sayLost();
  setTimeout(listen, AGAIN_MS);
}

const live = document.querySelectorAll("[data-live]");
live.forEach(remember);

function hear(message) {
  heardMs = Date.now();
  const news = JSON.parse(message.data);
  if (news.now) clockAheadMs = Date.parse(news.now) - Date.now();
  if (lost || news.parts?.includes("age")) loadAge();
  lost = false;
  const missed = (news.hello ?? Number(page.seq)) !== Number(page.seq); // less: the desk was started again
  if (live.length && (missed || news.again || (news.seq ?? Number(page.seq)) !== Number(page.seq))) refresh();
  const parts = news.parts?.filter((part) => part !== "jury-calls" && part !== "age") ?? [];
  if (!live.length && (missed || news.again || parts.length)) hint.hidden = false;
  if (missed || news.parts?.includes("jury-calls")) callJury();
}

function listen() {
  openedMs = Date.now();
  stream = new EventSource(`${page.at}/desk/live?lang=${page.lang}`);
  stream.onmessage = hear;
  stream.onerror = () => {
    sayLost();
    if (stream.readyState === EventSource.CLOSED) setTimeout(listen, AGAIN_MS);
  };
}

listen();
setInterval(checkLine, 1000);
setInterval(tick, 500);
tick();

// -- Ctrl+K: players, tables, matches -------------------------------------------------------------

const find = document.getElementById("find");
const found = document.getElementById("found");
let before = null; // where the keyboard was
let asked = 0;

function choices() {
  return [...found.querySelectorAll("a")];
}

function choose(step) {
  const all = choices();
  const now = all.findIndex((link) => link.classList.contains("chosen"));
  all[now]?.classList.remove("chosen");
  const next = all[(now + step + all.length + (now < 0 && step < 0 ? 1 : 0)) % all.length];
  next?.classList.add("chosen");
  next?.scrollIntoView({ block: "nearest" });
}

function closeFound() {
  found.hidden = true;
  found.replaceChildren();
}

async function look() {
  const number = ++asked;
  const wanted = find.value.trim();
  if (!wanted || wanted.includes("=")) return closeFound(); // a scanned slip
  const next = await loadPage(`${page.at}/desk/search?q=${encodeURIComponent(wanted)}`).catch(() => null);
  const list = next?.getElementById("finds");
  if (number !== asked || !list || document.activeElement !== find) return;
  const chosen = found.querySelector(".chosen")?.href; // by the arrows, while this answer was under way
  found.replaceChildren(...list.children);
  choices().find((link) => link.href === chosen)?.classList.add("chosen");
  found.dataset.answers = wanted;
  found.hidden = false;
}

document.addEventListener("keydown", (key) => {
  if (!(key.ctrlKey || key.metaKey) || key.key.toLowerCase() !== "k") return;
  key.preventDefault();
  if (document.activeElement !== find) before = document.activeElement;
  find.focus();
  find.select();
});
find.addEventListener("input", look);
find.addEventListener("keydown", (key) => {
  const chosen = found.querySelector(".chosen");
  if (key.key === "ArrowDown" || key.key === "ArrowUp") {
    key.preventDefault();
    choose(key.key === "ArrowDown" ? 1 : -1);
  } else if (key.key === "Enter" && chosen) {
    key.preventDefault();
    location.href = chosen.href;
  } else if (key.key === "Escape") {
    closeFound();
    find.value = "";
    before?.focus();
  }
});
document.addEventListener("focusin", (event) => {
  if (!find.form.contains(event.target)) closeFound();
});

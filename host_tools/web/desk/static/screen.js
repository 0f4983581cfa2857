// A screen of the hall: one slide after the other, long ones page by page; of the wall with `part=2/4` the second
// quarter of its pages. A call interrupts with a sound, and stays until both have come or its two minutes are over
// (SW-7).
"use strict";

const FRESH_S = 5; // a call that is older when this page begins has been heard before
const LARGEST = 0.11; // letters of a call, of the screen's height
const SMALLEST = 0.01;
const MOST_COLUMNS = 4;
const screenData = document.body.dataset;
const options = new URLSearchParams(location.search);
const [ourPart, parts] = shareOf(options.get("part"));
const turnMs = turnS(options.get("turn")) * 1000;
const soundOff = document.getElementById("sound-off");
let current = -1;
let step = 0;
let byHandUntil = 0; // somebody stands here and turns the pages
let heard = null; // calls that were announced
let fitted = ""; // what the letters of the calls were made for

function turnS(asked) {
  return /^\d{1,3}$/.test(asked) && asked >= 3 && asked <= 300 ? Number(asked) : 12;
}

function shareOf(asked) {
  const [, part, all] = /^([1-9])\/([1-9])$/.exec(asked) ?? [];
  return part <= all ? [Number(part), Number(all)] : [1, 1];
}

// -- calls ----------------------------------------------------------------------------------------

function nowMs() {
  return Date.now() + clockAheadMs;
}

// `part=2/3`: this screen has the second third of what is counted from 0
function isOurs(number, all) {
  return Math.floor((number * parts) / Math.max(all, parts)) === ourPart - 1;
}

// hides those whose time is over, and those of other screens
function pendingCalls() {
  const calls = [...document.querySelectorAll(".call")];
  for (const { dataset, classList } of calls) {
    const over = gone(dataset.at, nowMs()) >= LATE_S;
    classList.toggle("over", over || !isOurs(dataset.table - 1, Number(screenData.tables)));
  }
  return calls.filter((call) => !call.classList.contains("over"));
}

function fits(list) {
  return list.scrollHeight <= list.clientHeight && list.scrollWidth <= list.clientWidth
    && [...list.children].every((call) => call.scrollWidth <= call.clientWidth);
}

// the largest letters with which all calls are on the screen at once
function fitCalls(calls) {
  const key = [innerWidth, innerHeight, ...calls.map((call) => call.dataset.call)].join();
  const list = document.querySelector(".calls");
  const { style } = list.parentElement; // the list itself is written anew with every change
  if (key === fitted && style.length) return;
  fitted = key;
  let best = [0, 1];
  for (let columns = 1; columns <= MOST_COLUMNS; columns += 1) {
    style.setProperty("--columns", columns);
    let [low, high] = [Math.max(best[0], SMALLEST * innerHeight), LARGEST * innerHeight];
    while (high - low > 0.5) {
      const size = (low + high) / 2;
      style.setProperty("--letters", `${size}px`);
      if (fits(list)) [low, best] = [size, [size, columns]];
      else high = size;
    }
  }
  style.setProperty("--letters", `${best[0]}px`);
  style.setProperty("--columns", best[1]);
}

const GONG_MS = 2500;
let audio;
let lastGong = -GONG_MS;

// a tone falling by a third, twice; calls that come together have one
function gong() {
  if (performance.now() - lastGong < GONG_MS) return;
  lastGong = performance.now();
  audio ??= new AudioContext();
  soundOff.hidden = audio.state === "running";
  [[660, 0], [528, 0.35], [660, 0.9], [528, 1.25]].forEach(([pitch, after]) => {
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    const at = audio.currentTime + after;
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.4, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + 0.8);
    tone.connect(volume).connect(audio.destination);
    tone.start(at);
    tone.stop(at + 0.8);
  });
}

function announce(calls) {
  const known = heard ?? new Set(calls.filter((call) => gone(call.dataset.at, nowMs()) >= FRESH_S).map(nameOf));
  const fresh = calls.filter((call) => !known.has(nameOf(call)));
  heard = new Set(calls.map(nameOf));
  if (fresh.length) {
    byHandUntil = 0;
    gong();
  }
}

function nameOf(call) {
  return call.dataset.call + call.dataset.at;
}

// -- slides ---------------------------------------------------------------------------------------

const interrupts = !("quiet" in screenData);

function slides() {
  const all = [...document.querySelectorAll(".slide")];
  if (document.getElementById("part-wall")) {
    const own = all.filter((_, number) => isOurs(number, all.length));
    return own.length ? own : all.slice(-1);
  }
  const full = all.filter((slide) => (slide.querySelector(".call")
    ? slide.querySelector(".call:not(.over)")
    : !slide.querySelector("[data-decided], .nothing") || slide.querySelector(".match")));
  return full.length ? full : all.slice(0, 1);
}

function pagesOf(slide) {
  const flow = slide.querySelector(".flow");
  if (!flow) return 1;
  const style = getComputedStyle(flow);
  const gap = parseFloat(style.columnGap);
  flow.classList.remove("odd"); // a last column alone: an empty one beside it, or it shows two again
  const pages = (flow.scrollWidth + gap) / (flow.clientWidth + gap);
  flow.classList.toggle("odd", style.columnCount === "2" && Math.round(2 * pages) % 2 === 1);
  return Math.max(1, Math.ceil(pages - 0.25));
}

function turn(slide) {
  const flow = slide.querySelector(".flow");
  if (!flow) return;
  const gap = parseFloat(getComputedStyle(flow).columnGap);
  flow.scrollLeft = step * (flow.clientWidth + gap);
}

function show() {
  const all = slides();
  current = current % all.length;
  document.querySelectorAll(".slide").forEach((slide) => slide.classList.toggle("shown", slide === all[current]));
  const pages = pagesOf(all[current]);
  all[current].dataset.page = pages > 1 ? `${step + 1}/${pages}` : "";
  turn(all[current]);
}

function next() {
  const all = slides();
  const shown = all.findIndex((slide) => slide.classList.contains("shown"));
  if (shown >= 0 && step + 1 < pagesOf(all[shown])) {
    current = shown;
    step += 1;
  } else {
    current = (shown + 1) % all.length;
    step = 0;
  }
  show();
}

function isHeld() {
  return interrupts && Date.now() >= byHandUntil && document.querySelector(".call:not(.over)");
}

function refreshScreen() {
  const calls = pendingCalls();
  if (interrupts) announce(calls);
  const shown = document.querySelector(".slide.shown");
  const calling = document.querySelector(".calling");
  const done = shown && shown === calling && !calls.length && slides()[0] !== calling;
  if (isHeld() && shown !== calling) {
    [current, step] = [0, 0];
    show();
  } else if (!shown || done) { // the page was loaded anew, or everybody has come
    [current, step] = [0, 0];
    show();
  }
  if (calls.length && calling?.classList.contains("shown")) fitCalls(calls);
}

function turnByHand() {
  byHandUntil = Date.now() + turnMs;
  if (audio) audio.resume().then(() => { soundOff.hidden = true; });
  next();
}

document.addEventListener("tick", refreshScreen);
document.fonts.addEventListener("loadingdone", () => { fitted = ""; }); // other letters, other widths
document.addEventListener("keydown", (key) => { if (key.key === "ArrowRight") turnByHand(); });
document.addEventListener("click", turnByHand);
setInterval(() => { if (!isHeld()) next(); }, turnMs);
refreshScreen();

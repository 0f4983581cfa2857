// What is known of a match at a table, by the clock: called, late, playing, or over its time.
"use strict";

const LATE_S = 120; // CL-4

function twoDigits(number) {
  return String(number).padStart(2, "0");
}

function gone(since, nowMs) {
  return Math.max(0, Math.floor((nowMs - Date.parse(since)) / 1000));
}

function inMinutes(text, seconds) {
  return text.replace("{min}", Math.floor(seconds / 60));
}

// -> [class, text]; without a start nobody knows whether they play: it only says what is known
function timerState(told, nowMs) {
  if (!told.called) return ["", ""];
  if (told.started) {
    const played = gone(told.started, nowMs);
    const text = inMinutes(told.since, played);
    return played < told.limit * 60 ? ["playing", text] : ["over", `${text} · ${told.over}`];
  }
  const called = gone(told.called, nowMs);
  if (called >= LATE_S) return ["late", `${inMinutes(told.ago, called)} · ${told.late}`];
  const left = LATE_S - called;
  return ["coming", `${told.come} ${Math.floor(left / 60)}:${twoDigits(left % 60)}`];
}

// what a box's clock shows now: it said so at a time, and may have run since
function leftText(said, nowMs) {
  if (said.left === "") return "";
  const run = "runs" in said ? gone(said.at, nowMs) : 0;
  const left = Math.max(0, Number(said.left) - run);
  return `${Math.floor(left / 60)}:${twoDigits(left % 60)}`;
}

function refreshTimers(nowMs) {
  for (const timer of document.querySelectorAll("[data-called]")) {
    const [kind, text] = timerState(timer.dataset, nowMs);
    if (timer.className !== `timer ${kind}`) timer.className = `timer ${kind}`;
    if (timer.textContent !== text) timer.textContent = text;
  }
  for (const clock of document.querySelectorAll("[data-left]")) {
    const text = leftText(clock.dataset, nowMs);
    if (clock.textContent !== text) clock.textContent = text;
  }
}

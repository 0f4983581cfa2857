// Keeps a page of the board up to date: parts come ready from the server and replace the old ones.
"use strict";

const page = document.body.dataset;
const offline = document.getElementById("offline");
const LATE_S = 120; // CL-4
const AGAIN_S = 20;
let seq = Number(page.seq);
let clockAheadMs = 0; // the server's clock against this browser's

function replaceParts(parts) {
  for (const [name, html] of Object.entries(parts)) {
    const place = document.getElementById("part-" + name);
    if (place && place.innerHTML !== html) {
      place.innerHTML = html;
      place.classList.remove("fresh");
      void place.offsetWidth; // restarts the animation
      place.classList.add("fresh");
    }
  }
}

async function loadAgain() {
  const answer = await fetch(location.href, { cache: "no-store" });
  const next = new DOMParser().parseFromString(await answer.text(), "text/html");
  seq = Number(next.body.dataset.seq);
  for (const place of ["main", "header"]) {
    document.querySelector(place).replaceWith(next.querySelector(place));
  }
  refresh();
}

function hear(message) {
  offline.hidden = true;
  const news = JSON.parse(message.data);
  if (news.now) clockAheadMs = Date.parse(news.now) - Date.now();
  if (news.again || news.hello > seq) return loadAgain().catch(() => { offline.hidden = false; });
  if (news.parts) {
    seq = news.seq;
    replaceParts(news.parts);
  }
  refresh();
}

function twoDigits(number) {
  return String(number).padStart(2, "0");
}

function timerText(timer, nowMs) {
  const gone = Math.max(0, Math.floor((nowMs - Date.parse(timer.dataset.called)) / 1000));
  timer.classList.toggle("coming", gone < LATE_S);
  if (gone < LATE_S) {
    const left = LATE_S - gone;
    return `${timer.dataset.come} ${Math.floor(left / 60)}:${twoDigits(left % 60)}`;
  }
  return `${timer.dataset.since} ${Math.floor(gone / 60)} ${timer.dataset.minutes}`;
}

function refresh() {
  const now = new Date(Date.now() + clockAheadMs);
  for (const timer of document.querySelectorAll("[data-called]")) {
    const text = timer.dataset.called ? timerText(timer, now.getTime()) : "";
    if (timer.textContent !== text) timer.textContent = text;
  }
  for (const clock of document.querySelectorAll("[data-clock]")) {
    clock.textContent = `${twoDigits(now.getHours())}:${twoDigits(now.getMinutes())}`;
  }
  document.dispatchEvent(new Event("board"));
}

let stream;

function listen() {
  stream = new EventSource(`/live?page=${page.page}&lang=${page.lang}`);
  stream.onmessage = hear;
  stream.onerror = (event) => {
    offline.hidden = false;
    if (event.target.readyState !== EventSource.CLOSED) return; // the browser tries again by itself
    loadAgain().catch(() => {}); // too many listen: the page comes anew every now and then
    setTimeout(listen, AGAIN_S * 1000);
  };
}

listen();
setInterval(refresh, 500);
refresh();

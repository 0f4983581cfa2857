// The desk: timers run, and a hint says when somebody else has changed something.
"use strict";

const page = document.body.dataset;
const LATE_S = 120; // CL-4
let clockAheadMs = 0; // the server's clock against this browser's

function twoDigits(number) {
  return String(number).padStart(2, "0");
}

function timerText(timer, nowMs) {
  const gone = Math.max(0, Math.floor((nowMs - Date.parse(timer.dataset.called)) / 1000));
  timer.classList.toggle("over", gone >= LATE_S);
  if (gone < LATE_S) {
    const left = LATE_S - gone;
    return `${timer.dataset.come} ${Math.floor(left / 60)}:${twoDigits(left % 60)}`;
  }
  return `${timer.dataset.since} ${Math.floor(gone / 60)} ${timer.dataset.minutes}`;
}

function tick() {
  const now = Date.now() + clockAheadMs;
  for (const timer of document.querySelectorAll("[data-called]")) {
    timer.textContent = timer.dataset.called ? timerText(timer, now) : "";
  }
}


const stream = new EventSource(`/live?page=desk&lang=${page.lang}`);
stream.onmessage = (message) => {
  const news = JSON.parse(message.data);
  if (news.now) clockAheadMs = Date.parse(news.now) - Date.now();
  const isNews = news.again || news.parts || news.hello > Number(page.seq);
  if (isNews) document.getElementById("news").hidden = false;
};
setInterval(tick, 500);
tick();

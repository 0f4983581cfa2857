// The pages of the wall in turn; `part=2/4`: of four screens this is the second.
"use strict";

const turnMs = Number(document.body.dataset.turn) * 1000;
const [screen, screens] = (document.body.dataset.share || "1/1").split("/").map(Number);
let at = 0;

function ownPages() {
  const all = [...document.querySelectorAll(".page")];
  const own = all.filter((_, n) => Math.floor((n * screens) / Math.max(all.length, screens)) === screen - 1);
  return own.length ? own : all.slice(-1);
}

function showPage() {
  const own = ownPages();
  const shown = own[at % own.length];
  for (const page of document.querySelectorAll(".page")) page.classList.toggle("shown", page === shown);
}

document.addEventListener("board", showPage); // its part may have come anew
setInterval(() => {
  at += 1;
  showPage();
}, turnMs);
showPage();

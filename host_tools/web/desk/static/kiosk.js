// The board on a screen in the hall: one slide after the other, long ones page by page.
"use strict";

const seconds = Number(document.body.dataset.seconds);
let current = -1;
let step = 0;

function slides() {
  return [...document.querySelectorAll(".slide")].filter(
    (slide) => !slide.querySelector("[data-decided], .nothing") || slide.querySelector(".match"));
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
  if (all.length === 0) return;
  current = current % all.length;
  document.querySelectorAll(".slide").forEach((slide) => slide.classList.toggle("shown", slide === all[current]));
  const pages = pagesOf(all[current]);
  all[current].dataset.page = pages > 1 ? `${step + 1}/${pages}` : "";
  turn(all[current]);
}

function next() {
  const all = slides();
  if (all.length === 0) return;
  if (current >= 0 && current < all.length && step + 1 < pagesOf(all[current])) {
    step += 1;
  } else {
    current = (current + 1) % all.length;
    step = 0;
  }
  show();
}

document.addEventListener("board", () => {
  if (current >= 0 && !document.querySelector(".slide.shown")) show(); // the page was loaded anew
});
document.addEventListener("keydown", (key) => { if (key.key === "ArrowRight") next(); });
document.addEventListener("click", next);
setInterval(next, seconds * 1000);
next();

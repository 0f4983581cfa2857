// The table fits above the hand: what lies there scrolls in its own frame, and what matters now is brought into sight.

const root = document.documentElement;
const hand = document.querySelector(".play .hand");
const frame = document.querySelector(".play .middle");
const middle = document.getElementById("middle"); // moves sideways in it

/** The room that header and hand take, for the style sheet; whenever it changes. */
export function setUpFit(drawn) {
  const seen = new ResizeObserver(() => {
    const top = document.querySelector("main.play").getBoundingClientRect().top + scrollY;
    root.style.setProperty("--top", `${Math.ceil(top)}px`);
    root.style.setProperty("--hand", `${Math.ceil(hand.offsetHeight)}px`);
    drawn();
  });
  for (const part of [hand, ...document.querySelectorAll("header, #line, #problem")]) seen.observe(part);
}

/** Of the chairs that are lit the first one, else what lies on the table: into the frame, if it is not there. */
export function reveal() {
  const chair = frame.querySelector(".room .chair.may:has(circle)");
  const lies = frame.querySelector("#middle .called:not(:empty), #middle .lying, #middle > *");
  if (chair) centre(chair);
  else if (lies) nearest(lies.matches(".called") ? lies : middle);
}

function centre(thing) {
  const [inner, outer] = [thing.getBoundingClientRect(), frame.getBoundingClientRect()];
  const inside = inner.left >= outer.left && inner.right <= outer.right
    && inner.top >= outer.top && inner.bottom <= outer.bottom;
  if (inside) return;
  frame.scrollTop += inner.top + inner.height / 2 - outer.top - outer.height / 2;
  middle.scrollLeft += inner.left + inner.width / 2 - outer.left - outer.width / 2;
}

function nearest(thing) {
  const [inner, outer] = [thing.getBoundingClientRect(), frame.getBoundingClientRect()];
  if (inner.top >= outer.top && inner.bottom <= outer.bottom) return;
  frame.scrollTop += inner.top - outer.top - parseFloat(getComputedStyle(frame).paddingTop);
}

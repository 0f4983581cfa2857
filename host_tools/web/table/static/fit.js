// The table fits beside the hand: both have their room, whatever lies there, and what is more scrolls in its own frame.

const root = document.documentElement;
const main = document.querySelector("main.play");
const hand = main.querySelector(".hand");
const frame = main.querySelector(".middle");
const short = matchMedia("(min-width: 46rem) and (max-height: 38rem)");
const broad = matchMedia("(min-width: 46rem) and (min-aspect-ratio: 5/4)");

/** The hand stands at the side where the window has more width than the table needs: a low window, or a room that is as
 * high as it is wide. */
export function setAside() {
  main.classList.toggle("aside", short.matches || (broad.matches && main.classList.contains("low")));
}

/** The room that header and hand take, for the style sheet; whenever it changes. */
export function setUpFit(drawn) {
  const seen = new ResizeObserver(() => {
    const top = main.getBoundingClientRect().top + scrollY;
    root.style.setProperty("--top", `${Math.ceil(top)}px`);
    root.style.setProperty("--hand", `${Math.ceil(hand.offsetHeight)}px`);
    drawn();
  });
  for (const part of [hand, ...document.querySelectorAll("header, #line, #problem")]) seen.observe(part);
  for (const window of [short, broad]) window.addEventListener("change", setAside);
  setAside();
}

/** Where the window is too small for all of it, what lies there comes first: into the frame, if it is not there. */
export function reveal() {
  const thing = ["chair.may:has(circle)", "called:not(:empty)", "lying", "room"]
    .map((name) => frame.querySelector(`#middle .${name}`)).find(Boolean);
  if (!thing) return;
  const [inner, outer] = [thing.getBoundingClientRect(), frame.getBoundingClientRect()];
  if (inner.top >= outer.top && inner.bottom <= outer.bottom) return;
  frame.scrollTop += inner.top - outer.top - Math.max(0, outer.height - inner.height) / 2;
}

// What lies in the middle of the table, laid by hand into the room that is left there: as large as all of it can lie in
// sight. It is placed by `translate`, as the hand is (fan.js): what comes pushes nothing.

const GAP = 6;
const LEAST = 52; // a card so wide is still known by its letters; below it the sums of a game make room
const FINE = 104; // the value that counts is too small to be read on a card so narrow: it stands above it
const STEP = 2;
const middle = document.getElementById("middle");

/** Lay all that lies there. */
export function spread() {
  const list = middle.querySelector(":scope > .lying");
  if (!list) return;
  sizes.observe(list); // what is told above it may take some of its room
  middle.classList.remove("tight");
  list.classList.remove("fine");
  let found = lay(list);
  if (found < FINE && list.querySelector(".counts")) {
    list.classList.add("fine");
    found = lay(list);
  }
  if (found >= LEAST || !middle.querySelector(".piles")) return;
  middle.classList.add("tight");
  lay(list);
}

/** Gives back how wide a card is. */
function lay(list) {
  const figures = [...list.children].map(measured);
  const [first] = list.querySelectorAll(".card svg");
  if (!first) return Infinity;
  list.style.setProperty("--lie", "");
  const { width, height } = first.viewBox.baseVal;
  const room = { wide: list.clientWidth, high: list.clientHeight, shape: height / width };
  let wide = parseFloat(getComputedStyle(first.parentElement).width);
  while (wide > LEAST / 2 && !placed(figures, wide, room)) wide -= STEP;
  list.style.setProperty("--lie", `${wide}px`);
  for (const [figure, x, y] of placed(figures, wide, room) ?? []) figure.style.translate = `${x}px ${y}px`;
  return wide;
}

/** How many cards stand side by side in a figure, and what it has round them. */
function measured(figure) {
  const { paddingLeft, borderLeftWidth } = getComputedStyle(figure);
  return { figure, cards: figure.querySelectorAll(".card").length,
    edge: 2 * (parseFloat(paddingLeft) + parseFloat(borderLeftWidth)),
    caption: [...figure.querySelectorAll("figcaption, .counts")].reduce((sum, one) => sum + one.offsetHeight, 0) };
}

/** Each figure with its place, if all of them find one in lines with cards so wide. */
function placed(figures, wide, room) {
  const boxes = figures.map(({ figure, cards, edge, caption }) => ({ figure,
    wide: cards * wide + (cards - 1) * GAP + edge, high: wide * room.shape + caption + edge }));
  let lines = inLines(boxes, room.wide);
  const even = Math.ceil(boxes.length / lines.length); // not seven and one
  if (figures.every(({ cards }) => cards === 1)) {
    lines = lines.map((_, number) => boxes.slice(number * even, (number + 1) * even)).filter((line) => line.length);
  }
  const widths = lines.map((line) => line.reduce((sum, one) => sum + one.wide + GAP, -GAP));
  const heights = lines.map((line) => Math.max(0, ...line.map((one) => one.high)));
  const high = heights.reduce((sum, one) => sum + one + GAP, -GAP);
  if (high > room.high || Math.max(...widths) > room.wide) return null;
  let y = (room.high - high) / 2;
  return lines.flatMap((line, number) => {
    let x = (room.wide - widths[number]) / 2;
    const here = line.map((one) => {
      const at = [one.figure, x, y];
      x += one.wide + GAP;
      return at;
    });
    y += heights[number] + GAP;
    return here;
  });
}

/** One beside the other, as long as there is room in a line. */
function inLines(boxes, most) {
  const lines = [[]];
  for (const box of boxes) {
    const taken = lines.at(-1).reduce((sum, one) => sum + one.wide + GAP, 0);
    if (taken && taken + box.wide > most) lines.push([]);
    lines.at(-1).push(box);
  }
  return lines;
}

const sizes = new ResizeObserver(spread);
sizes.observe(middle);

// The hand's cards, laid by hand into a frame that never changes: as large as there is room for, one over the other
// where there is little, and every middle stays free to be pressed. They are placed by `translate`, so what is laid
// anew moves nothing else.

const FREE = 0.55; // of a card's width and height, where another one covers it
const MOST_ROWS = document.querySelector("main.phone") ? 6 : 4;
const GAP = 6;
const frame = document.getElementById("hand");

/** Lay the cards so that all of them are in sight, below what can be pressed beside them. */
export function fan() {
  const taken = document.getElementById("actions").offsetHeight;
  const above = taken && taken + GAP;
  frame.style.setProperty("--above", `${above}px`);
  const list = frame.querySelector(".cards");
  const cards = [...(list?.querySelectorAll(":scope > .card") ?? [])];
  const free = { room: frame.clientWidth, height: frame.clientHeight - above };
  if (!list || free.height <= 0) return;
  list.classList.remove("laid");
  const { offsetWidth: most = 0, offsetHeight: tall = 0 } = cards[0] ?? {};
  const stack = list.querySelector(".stack");
  const beside = stack && free.room >= most + 2 * (stack.offsetWidth + GAP);
  if (stack && !beside) free.height -= stack.offsetHeight + GAP;
  const best = fitting(cards.length, free, most, tall / most);
  list.classList.add("laid");
  list.style.setProperty("--wide", `${best.wide}px`);
  cards.forEach((card, place) => lay(card, place, cards.length, best, free.room, above));
  if (!stack) return;
  const [x, y] = beside ? [(free.room + best.wide) / 2 + GAP, (best.high - stack.offsetHeight) / 2]
    : [(free.room - stack.offsetWidth) / 2, best.high + GAP];
  stack.style.translate = `${x}px ${above + y}px`;
}

/** As many rows as make the cards largest, and of those the ones in which the most of each is seen. */
function fitting(count, { room, height }, most, shape) {
  if (!count) return { wide: 0, high: 0 };
  return Array.from({ length: Math.min(MOST_ROWS, count) },
    (_, more) => rows(more + 1, count, room, height, most, shape))
    .reduce((one, other) => (
      other.wide > one.wide || (other.wide === one.wide && seen(other) > seen(one)) ? other : one));
}

/** So many rows: how wide the cards can be, and how far they stand from one another. */
function rows(count, cards, room, height, most, shape) {
  const row = Math.ceil(cards / count);
  const wide = Math.min(most, height / shape / (1 + FREE * (count - 1)), room / (1 + FREE * (row - 1)));
  const high = wide * shape;
  const step = row > 1 ? Math.min(wide + GAP, (room - wide) / (row - 1)) : wide;
  const rise = count > 1 ? Math.min(high + GAP, (height - high) / (count - 1)) : high;
  return { row, wide, high, step, rise };
}

/** Of a card that another one covers. */
function seen({ wide, high, step, rise }) {
  return Math.min(wide, step) * Math.min(high, rise);
}

/** Every row in the middle of the frame. */
function lay(card, place, count, { row, wide, step, rise }, room, above) {
  const line = Math.floor(place / row);
  const inLine = Math.min(row, count - line * row);
  const left = (room - wide - step * (inLine - 1)) / 2 + step * (place % row);
  card.style.translate = `${left}px ${above + rise * line}px`;
}

new ResizeObserver(fan).observe(frame);

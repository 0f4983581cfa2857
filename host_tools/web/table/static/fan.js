// A hand that would take too much of the window is held like a fan: cards overlap, and every middle stays free to be
// pressed.

const MOST_OF_WINDOW = document.querySelector("main.phone") ? 0.7 : 0.38; // a phone is for the hand
const FREE = 0.55; // of a card's width and height, where another one covers it
const MOST_ROWS = 4;
const LEAST = 90; // dots: a lower card cannot be read
const hand = document.getElementById("hand");

/** Lay the cards so that all of them are in sight; as they are where there is room. */
export function fan() {
  const list = hand.querySelector(".cards");
  const cards = list ? [...list.children] : [];
  list?.classList.remove("fan", "few");
  if (!cards.length || !hand.offsetWidth) return;
  const used = hand.parentElement.scrollHeight - hand.offsetHeight;
  const [room, height] = [hand.clientWidth, Math.max(LEAST, innerHeight * MOST_OF_WINDOW - used)];
  if (list.offsetHeight <= height) return;
  const { width, height: high } = cards[0].getBoundingClientRect();
  if (cards.length < 3) {
    list.classList.add("few");
    list.style.setProperty("--wide", `${(width * height) / high}px`);
    return;
  }
  const best = Array.from({ length: MOST_ROWS },
    (_, more) => rows(more + 1, cards.length, room, height, width, high / width))
    .reduce((one, other) => (other.wide > one.wide ? other : one));
  list.classList.add("fan");
  for (const [name, value] of Object.entries(best)) {
    list.style.setProperty(`--${name}`, name === "row" ? value : `${value}px`);
  }
}

/** So many rows: how wide the cards can be, and how far they stand from one another. */
function rows(count, cards, room, height, most, shape) {
  const row = Math.ceil(cards / count);
  const wide = Math.min(most, height / shape / (1 + FREE * (count - 1)), room / (1 + FREE * (row - 1)));
  const step = row > 1 ? Math.min(wide + 6, (room - wide) / (row - 1)) : wide;
  return { row, wide, high: wide * shape, step, rise: wide * shape * FREE };
}

addEventListener("resize", fan);

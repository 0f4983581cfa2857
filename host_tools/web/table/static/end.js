// The end of a match: who has won, what it was like, and what comes next.

import { Cut, data, fetched, link, make, post, quietly, say, texts } from "./net.js";
import { curve } from "./curve.js";
import { ownSeat } from "./hand.js";
import { redraw } from "./keep.js";
import { send } from "./line.js";
import { sharePicture } from "./picture.js";

const MINUTE_MS = 60000, PIECES = 28, SEAT_COLOURS = 8;

/** Draws the panel; it stays as it is while the same end is shown. */
export function showEnd(match) {
  const panel = document.getElementById("end");
  const end = match?.end ?? null;
  panel.hidden = !end;
  const key = JSON.stringify([match?.number, end, match?.closed]);
  if (panel.dataset.key === key) return;
  panel.dataset.key = key;
  redraw(panel, ...(end ? parts(match, end) : []));
}

function parts(match, end) {
  const outcome = make("div", { class: "outcome" }, make("h2", { id: "end-title" }, title(match, end)),
    ...(end.abandoned ? [] : [table(match, end)]), ...(match.closed ? [] : [confirming()]), next(match, end),
    make("p", { class: "numbers" }, numbers(end), " ", make("span", { id: "deal" }, `${say("end_deal", end.deal)}.`)));
  if (end.abandoned) return [outcome];
  return [outcome, make("div", {}, ...curve(match, end.curve, open)), later(match, end),
    ...(deserved(end) ? [confetti()] : [])];
}

/** What comes once the result is final has its room before: last, so that it pushes nothing. */
function later(match, end) {
  const told = match.closed ? [...(end.family.length ? [family(end)] : []), decisions()] : [];
  return make("div", { class: "later" }, ...told);
}

/** The box asks for it, wherever on the page it stands. */
function confirming() {
  const ok = (down) => send({ do: "button", button: "ok", down });
  const press = () => {
    ok(true);
    ok(false);
  };
  return make("p", { class: "next" }, (!data.host && texts.table_nothing) || say("for_nothing"),
    ...(data.host ? [make("button", { type: "button", id: "confirm", onclick: press }, say("end_ok"))] : []));
}

function title(match, end) {
  if (end.abandoned) return say("abandoned");
  const [best] = end.ranking;
  if (best.length > 1) return say("end_shared", best.map(match.who).join(", "));
  return best[0] === ownSeat() ? say("end_won_you") : say("end_won", match.seats[best[0]].name);
}

/** Joy for who has won at this page, or for everybody who looks on. */
function deserved({ ranking }) {
  return ownSeat() === null || ranking[0].includes(ownSeat());
}

function confetti() {
  const pieces = Array.from({ length: PIECES }, (_, number) => {
    const piece = make("i", { "data-own": (number % SEAT_COLOURS) + 1 });
    piece.style.left = `${(number * 61) % 100}%`;
    piece.style.animationDelay = `${(number * 37) % 400}ms`;
    return piece;
  });
  return make("div", { class: "confetti", "aria-hidden": "true" }, ...pieces);
}

function table(match, end) {
  const heads = ["end_place", "end_name", `unit_${match.game}`, ...(end.tricks.length ? ["end_tricks"] : [])];
  let place = 1;
  const rows = [];
  for (const level of end.ranking) {
    for (const seat of level) {
      const { name, score } = match.seats[seat];
      const cells = [`${place}.`, name, score, ...(end.tricks.length ? [end.tricks[seat]] : [])];
      rows.push(make("tr", { class: place === 1 ? "first" : "" },
        ...cells.map((cell) => make("td", {}, String(cell)))));
    }
    place += level.length;
  }
  return make("table", {},
    make("thead", {}, make("tr", {}, ...heads.map((head) => make("th", { scope: "col" }, say(head))))),
    make("tbody", {}, ...rows));
}

function numbers({ ms, moves, refused }) {
  const minutes = Math.floor(ms / MINUTE_MS);
  const seconds = String(Math.floor((ms % MINUTE_MS) / 1000)).padStart(2, "0");
  return say("end_numbers", `${minutes}:${seconds}`, moves, refused);
}

/** What those who play here have won so far, with this match. */
function family(end) {
  return make("ul", { class: "family" }, ...end.family.map(({ name, matches, won, row, longest }) =>
    make("li", {}, say("family_line", name, won, matches, row, longest))));
}

/** The best and the worst decision, and what would have been better: they come when they are judged. */
function decisions() {
  judged().catch((error) => {
    if (!(error instanceof Cut)) throw error; // the page says that the line is cut
  }).then((text = "") => {
    const part = document.getElementById("decisions");
    if (!part) return; // the next match has begun
    part.innerHTML = text; // a part of this page, written by the server
    part.setAttribute("aria-busy", "false");
  });
  return make("div", { id: "decisions", role: "status", "aria-busy": "true" }, make("p", {}, say("after_working")));
}

/** Nothing, if the next match has begun. */
async function judged() {
  const [kept, record] = await fetched(`/t/${data.table}/after`, { method: "POST" });
  if (!kept.ok) return "";
  const seat = ownSeat() === null ? "" : `?seat=${ownSeat() + 1}`;
  const [answer, text] = await fetched(`/r/${JSON.parse(record).replay}/decisions${seat}`);
  return answer.ok ? text : "";
}

/** To a page about this match; the server keeps its record first. Until that page is there, nothing else here can be
 * pressed: a rematch would begin behind the page that is about to leave. */
const to = (page, part = "") => quietly(async () => {
  leaving(true);
  try {
    const { replay } = await post(`/t/${data.table}/after`);
    location.href = link(`/r/${replay}${page}`) + part;
  } catch (error) {
    leaving(false);
    throw error;
  }
});

function leaving(now) {
  document.getElementById("end").inert = now;
}

addEventListener("pageshow", () => leaving(false)); // "back" shows this page as it was left

/** The match as it stood at a step. */
function open(step) {
  return to(`?at=${step}`)();
}

/** Which game is chosen in the drawer that was there while this one was played. */
function another() {
  const drawer = document.getElementById("new-match");
  drawer.open = true;
  drawer.querySelector("[name=game]:checked").focus();
}

function next(match, end) {
  const after = to("/after");
  const share = to("/after", "#share");
  return make("p", { class: "next" },
    make("button", { type: "button", class: "main", id: "rematch", onclick: () => send({ do: "rematch" }) },
      say("rematch")),
    make("button", { type: "button", id: "same-deal", onclick: () => send({ do: "rematch", same_deal: true }) },
      say("same_deal")),
    ...(end.abandoned ? [] : [make("button", { type: "button", id: "after", onclick: after }, say("end_after")),
      make("button", { type: "button", id: "share", onclick: share }, say("after_share")),
      make("button", { type: "button", id: "picture", onclick: () => sharePicture(match, title(match, end)) },
        say("share_picture"))]),
    ...(data.host ? [make("button", { type: "button", id: "look", onclick: to("") }, say("end_look")),
      make("button", { type: "button", id: "another", onclick: another }, say("new_match"))] : []));
}

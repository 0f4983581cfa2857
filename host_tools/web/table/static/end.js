// The end of a match: who has won, what it was like, and what comes next.

import { Cut, data, fetched, link, make, post, quietly, say } from "./net.js";
import { curve } from "./curve.js";
import { ownSeat } from "./hand.js";
import { send } from "./line.js";
import { sharePicture } from "./picture.js";

const MINUTE_MS = 60000, PIECES = 28, SEAT_COLOURS = 8;

/** Draws the panel once an end: what comes while it is shown is filled in, so that no button is replaced under a
 * finger. */
export function showEnd(match) {
  const panel = document.getElementById("end");
  const end = match?.end ?? null;
  panel.hidden = !end;
  const key = JSON.stringify([match?.number, end?.abandoned, end?.ranking, end?.curve]);
  if (panel.dataset.key !== key) {
    panel.dataset.key = key;
    delete panel.dataset.final;
    panel.replaceChildren(...(end ? parts(match, end) : []));
  }
  if (end && !end.abandoned) follow(panel, match, end);
}

function parts(match, end) {
  const outcome = make("div", { class: "outcome" }, make("h2", { id: "end-title" }, title(match, end)),
    ...(end.abandoned ? [] : [table(match, end)]),
    make("p", { id: "disputed", class: "note", role: "status", hidden: true }, say("end_disputed")),
    make("p", { id: "by-jury", class: "note", role: "status", hidden: true }, say("end_by_jury"), " ",
      ...(data.host ? [make("button", { type: "button", id: "confirm", onclick: () => send({ do: "confirm" }) },
        say("end_confirm"))] : [])), next());
  if (end.abandoned) return [outcome, more(match, end)];
  const [story = "", drawn = "", turns = ""] = curve(match, end.curve, open);
  return [outcome, make("div", {}, story, drawn), make("div", { class: "later" }), more(match, end, turns),
    ...(deserved(end) ? [confetti()] : [])];
}

/** What the record says once the result counts: its decisions have their room before, so that they push nothing. */
function follow(panel, match, end) {
  panel.querySelector("#disputed").hidden = !match.disputed;
  panel.querySelector("#by-jury").hidden = !match.confirm || match.disputed;
  if (!match.closed || panel.dataset.final) return;
  panel.dataset.final = "yes";
  panel.querySelector(".later").replaceChildren(decisions());
  panel.querySelector(".history").replaceChildren(...history(end.family));
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
function history(family) {
  if (!family.length) return [];
  const line = ({ name, facts }) => make("li", {}, make("b", {}, name), ` ${facts.join(" · ")}`);
  return [make("h3", {}, say("family")), make("ul", { class: "family" }, ...family.map(line))];
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

/** What nearly everybody wants now. */
function next() {
  return make("p", { class: "next" },
    make("button", { type: "button", class: "main big", id: "rematch", onclick: () => send({ do: "rematch" }) },
      say("rematch")),
    ...(data.host ? [make("button", { type: "button", class: "big", id: "another", onclick: another },
      say("end_another"))] : []));
}

/** What else can be done with this match, and its numbers. */
function more(match, end, turns = "") {
  const button = (id, text, onclick) => make("button", { type: "button", id, onclick }, say(text));
  return make("details", { class: "more" }, make("summary", {}, say("end_more")),
    make("p", { class: "next" },
      button("same-deal", "same_deal", () => send({ do: "rematch", same_deal: true })),
      ...(end.abandoned ? [] : [button("after", "end_after", to("/after")),
        button("share", "after_share", to("/after", "#share")),
        button("picture", "share_picture", () => sharePicture(match, title(match, end)))]),
      ...(data.host ? [button("look", "end_look", to(""))] : [])),
    turns, make("p", { class: "numbers" }, numbers(end), " ",
      make("span", { id: "deal" }, `${say("end_deal", end.deal)}.`)),
    make("div", { class: "history" }));
}

// The end of a match: who has won, what it was like, and what comes next.

import { data, link, make, post, quietly, say } from "./net.js";
import { send } from "./line.js";
import { sharePicture } from "./picture.js";

const MINUTE_MS = 60000;

/** Draws the panel; it stays as it is while the same end is shown. */
export function showEnd(match) {
  const panel = document.getElementById("end");
  const end = match?.end ?? null;
  panel.hidden = !end;
  const key = JSON.stringify([match?.number, end, match?.closed]);
  if (panel.dataset.key === key) return;
  panel.dataset.key = key;
  panel.replaceChildren(...(end ? parts(match, end) : []));
}

function parts(match, end) {
  const ranking = end.abandoned ? [] : [table(match, end)];
  return [make("h2", { id: "end-title" }, title(match, end)), ...ranking,
    make("p", {}, numbers(end), " ", make("span", { id: "deal" }, `${say("end_deal", end.deal)}.`)),
    ...(match.closed && end.family.length ? [family(end)] : []), ...(match.closed ? [next(match, end)] : [])];
}

function title(match, end) {
  if (end.abandoned) return say("abandoned");
  const best = end.ranking[0].map((seat) => match.seats[seat].name);
  return best.length === 1 ? say("end_won", best[0]) : say("end_shared", best.join(", "));
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

/** To a page about this match; the server keeps its record first. */
const to = (keep, page, part = "") => quietly(async () => {
  const { replay } = await post(`/t/${data.table}/${keep}`);
  location.href = link(`/r/${replay}${page}`) + part;
});

function next(match, end) {
  const after = to("after", "/after");
  const share = to("after", "/after", "#share");
  return make("p", { class: "next" },
    make("button", { type: "button", class: "main", id: "rematch", onclick: () => send({ do: "rematch" }) },
      say("rematch")),
    make("button", { type: "button", id: "same-deal", onclick: () => send({ do: "rematch", same_deal: true }) },
      say("same_deal")),
    ...(end.abandoned ? [] : [make("button", { type: "button", id: "after", onclick: after }, say("end_after")),
      make("button", { type: "button", id: "share", onclick: share }, say("after_share")),
      make("button", { type: "button", id: "picture", onclick: () => sharePicture(match, title(match, end)) },
        say("share_picture"))]),
    ...(data.host ? [make("button", { type: "button", id: "look", onclick: to("replay", "") }, say("end_look"))] : []));
}

// The rules of the game that is played, in the rules' own sentences; every rule that is named leads there.

import { data, make, say } from "./net.js";
import { GAMES } from "./games.js";

const sheet = document.getElementById("rules-sheet");
let match = null;
let shown = "";

/** What names a rule is a button that opens it; a page of the documentation is only named. */
export function ruleMark(rule) {
  if (!data.rules[rule]) return make("span", { class: "rule" }, say("page", rule));
  return make("button", { type: "button", class: "rule", onclick: () => openRule(rule) }, say("rule", rule));
}

/** The rules of a match: those of its game, of its variant only its own. */
export function showRules(news) {
  match = news;
  const key = match ? [match.game, ...match.in_force, match.note].join("/") : "";
  if (key === shown) return;
  shown = key;
  const groups = match && (GAMES[match.game].rules?.[match.preset] ?? GAMES[match.game].rules?.[""]);
  const belongs = ([rule, game]) => game === match.game && (!groups || groups.includes(rule.split("-")[0]));
  const mine = match ? Object.entries(data.rule_games).filter(belongs).sort(inOrder(groups ?? [])) : [];
  if (!mine.length) {
    sheet.replaceChildren(make("p", {}, say("rules_later")));
    return;
  }
  const label = data.games.find((game) => game.game === match.game && game.preset === match.preset)?.label
    ?? match.title;
  const how = GAMES[match.game].how ? [make("p", {}, make("a", { href: howLink(match), target: "_blank", class: "how" },
    say("how")))] : [];
  const note = match.note ? [make("p", { class: "note" }, match.note)] : [];
  sheet.replaceChildren(make("h2", {}, label), ...how, ...note,
    make("dl", {}, ...mine.flatMap(([rule]) => entry(rule))));
}

/** How this match is played: the page for its variant and its house rules. */
function howLink({ game, in_force: ruled }) {
  return `/how/${game}?lang=${data.lang}&rules=${encodeURIComponent(ruled.join(" "))}`;
}

/** As the game has its groups of rules, the clock last; in each by number. */
function inOrder(groups) {
  const group = (rule) => groups.indexOf(rule.split("-")[0]);
  return ([one], [other]) => group(one) - group(other) || one.localeCompare(other, "en", { numeric: true });
}

function entry(rule) {
  return [make("dt", { id: `rule-${rule}` }, rule), make("dd", {}, ...sentence(data.rules[rule]))];
}

/** Options of a record, in `such` marks, stand in the letters of a machine. */
function sentence(text) {
  return text.split("`").map((part, number) => (number % 2 ? make("code", {}, part) : part)).filter(Boolean);
}

/** Open the drawer at a rule; one of another game is added at the top. */
export function openRule(rule) {
  const drawer = sheet.closest("details");
  drawer.open = true;
  if (!document.getElementById(`rule-${rule}`)) sheet.prepend(make("dl", {}, ...entry(rule)));
  sheet.querySelectorAll(".lit").forEach((lit) => lit.classList.remove("lit"));
  const title = document.getElementById(`rule-${rule}`);
  title.nextElementSibling.classList.add("lit");
  sheet.scrollTop = title.offsetTop - sheet.clientHeight / 3;
  sheet.focus();
}

// The match as a curve: everybody's score, and where the lead went to somebody else.

import { draw, make, say } from "./net.js";

const WIDTH = 640, HEIGHT = 210, LEFT = 40, RIGHT = 120, TOP = 14, BOTTOM = 14;
const LINE = 23; // as high as a name, in play.css

/** `points`: [step, scores]; `open(step)` shows the match there. The story in one line, then the curve. */
export function curve(match, points, open) {
  const turns = turnsOf(points);
  if (points.length < 2) return [];
  return [make("p", { class: "story" }, story(match, points, turns)), picture(match, points, turns),
    ...(turns.length > 1 ? [make("p", { class: "turns" }, `${say("curve_turns")} `,
      ...turns.slice(1).map(([step, seat]) => make("button", { type: "button", onclick: () => open(step) },
        say("curve_turn", step, match.who(seat)))))] : [])];
}

/** Who is alone ahead, or null. */
function leader(scores) {
  const best = Math.max(...scores);
  return scores.filter((score) => score === best).length === 1 ? scores.indexOf(best) : null;
}

/** [step, seat]: from where on somebody else is alone ahead. */
function turnsOf(points) {
  const turns = [];
  for (const [step, scores] of points) {
    const ahead = leader(scores);
    if (ahead !== null && ahead !== turns.at(-1)?.[1]) turns.push([step, ahead]);
  }
  return turns;
}

function story(match, points, turns) {
  const name = (number) => match.who(turns.at(number)[1]);
  if (!turns.length) return say("story_even");
  if (leader(points.at(-1)[1]) === null) return say("story_level", turns.length - 1);
  if (turns.length === 1) return say("story_always", name(0));
  if (turns.length === 2) return say("story_once", name(0), turns[1][0], name(1));
  return say("story_often", turns.length - 1, turns.at(-1)[0], name(-1));
}

function picture(match, points, turns) {
  const all = points.flatMap(([, scores]) => scores);
  const [low, high, last] = [Math.min(0, ...all), Math.max(1, ...all), points.at(-1)[0] || 1];
  const x = (step) => LEFT + (step / last) * (WIDTH - LEFT - RIGHT);
  const y = (score) => TOP + ((high - score) / (high - low)) * (HEIGHT - TOP - BOTTOM);
  const svg = draw("svg", { class: "curve", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img",
    "aria-label": say("curve_of", match.seats.map(({ name, score }) => `${name} ${score}`).join(", ")) });
  svg.append(...[low, high].flatMap((score) => [
    draw("path", { class: "grid", d: `M${LEFT} ${y(score)}H${WIDTH - RIGHT}` }),
    draw("text", { x: LEFT - 6, y: y(score) + 6, "text-anchor": "end" }, String(score))]));
  match.seats.forEach((_, seat) => svg.append(draw("path", { class: "line", "data-own": seat + 1,
    d: points.map(([step, scores], at) => `${at ? `H${x(step)}V` : `M${x(step)} `}${y(scores[seat])}`).join("") })));
  svg.append(...turns.slice(1).map(([step, seat]) => draw("circle", { class: "turn", "data-own": seat + 1,
    cx: x(step), cy: y(points.find(([at]) => at === step)[1][seat]), r: 6 })), ...labels(match, points, y));
  return svg;
}

/** Names at the end of their lines, moved apart: each below the one before, and with room for those behind it. */
function labels(match, points, y) {
  const ends = points.at(-1)[1].map((score, seat) => [y(score), seat]).sort((one, other) => one[0] - other[0]);
  let middle = -Infinity;
  return ends.map(([at, seat], place) => {
    const lowest = HEIGHT - LINE * (ends.length - place - 0.5);
    middle = Math.min(lowest, Math.max(at, middle + LINE, LINE / 2));
    return draw("text", { class: "name", "data-own": seat + 1, x: WIDTH - RIGHT + 8, y: middle + LINE / 3 },
      match.who(seat));
  });
}

// The match as a curve: everybody's score, and where the lead went to somebody else.

import { draw, make, say } from "./net.js";

const WIDTH = 640, HEIGHT = 200, LEFT = 34, RIGHT = 110, TOP = 12, BOTTOM = 22;
const LEAST_GAP = 14;

/** `points`: [step, scores]; `open(step)` shows the match there. The story in one line, then the curve. */
export function curve(match, points, open) {
  const turns = turnsOf(points);
  if (points.length < 2) return [];
  return [make("p", { class: "story" }, story(match, points, turns)), picture(match, points, turns),
    ...(turns.length > 1 ? [make("p", { class: "turns" }, `${say("curve_turns")} `,
      ...turns.slice(1).map(([step, seat]) => make("button", { type: "button", onclick: () => open(step) },
        say("curve_turn", step, match.who(seat)))))] : [])];
}

/** [step, seat]: from where on somebody else is alone ahead. */
function turnsOf(points) {
  const turns = [];
  for (const [step, scores] of points) {
    const best = Math.max(...scores);
    const ahead = scores.filter((score) => score === best).length === 1 ? scores.indexOf(best) : null;
    if (ahead !== null && ahead !== turns.at(-1)?.[1]) turns.push([step, ahead]);
  }
  return turns;
}

function story(match, points, turns) {
  const name = (number) => match.who(turns.at(number)[1]);
  if (!turns.length) return say("story_even");
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
    draw("text", { x: LEFT - 6, y: y(score) + 4, "text-anchor": "end" }, String(score))]));
  match.seats.forEach((_, seat) => svg.append(draw("path", { class: "line", "data-own": seat + 1,
    d: points.map(([step, scores], at) => `${at ? `H${x(step)}V` : `M${x(step)} `}${y(scores[seat])}`).join("") })));
  svg.append(...turns.slice(1).map(([step, seat]) => draw("circle", { class: "turn", "data-own": seat + 1,
    cx: x(step), cy: y(points.find(([at]) => at === step)[1][seat]), r: 6 })), ...labels(match, points, y));
  return svg;
}

/** Names at the end of their lines, moved apart. */
function labels(match, points, y) {
  const ends = points.at(-1)[1].map((score, seat) => [y(score), seat]).sort((one, other) => one[0] - other[0]);
  let above = -LEAST_GAP;
  const placed = ends.map(([at, seat]) => [(above = Math.max(at, above + LEAST_GAP)), seat]);
  const over = Math.max(0, above - HEIGHT + 4);
  return placed.map(([at, seat]) => draw("text", { class: "name", "data-own": seat + 1, x: WIDTH - RIGHT + 8,
    y: at - over + 4 }, match.who(seat)));
}

// Draws parts of the page once more. What means the same stays the same element: a finger that is down on it, the focus
// and what flies there are not disturbed; it only does what the new one does.

import { doAs } from "./net.js";

const NAMES = ["code", "card", "place", "ask", "whom", "action", "means"];

/** Let `place` hold `parts`, and nothing else. */
export function redraw(place, ...parts) {
  const old = new Map(named(place.childNodes));
  const fresh = parts.map((part) => (part instanceof Node ? part : new Text(part)));
  arrange(place, [...named(fresh)].map(([name, part]) => become(old.get(name), part)));
}

/** What stays is not touched: a card that is being dragged, or has the focus, keeps its element. */
export function arrange(place, wanted) {
  const stays = new Set(wanted);
  for (const old of [...place.childNodes]) if (!stays.has(old)) old.remove();
  wanted.forEach((node, number) => {
    if (place.childNodes[number] !== node) place.insertBefore(node, place.childNodes[number] ?? null);
  });
}

/** Every node with what it means: those that mean the same are counted. */
function* named(nodes) {
  const counts = new Map();
  for (const node of nodes) {
    const name = meaning(node);
    counts.set(name, (counts.get(name) ?? 0) + 1);
    yield [`${name} ${counts.get(name)}`, node];
  }
}

function meaning(node) {
  if (node.nodeType !== Node.ELEMENT_NODE) return "";
  const said = () => node.matches("button, a, select") && (node.getAttribute("aria-label") || node.textContent);
  const own = node.id || NAMES.map((name) => node.dataset[name]).find(Boolean) || said() || node.classList[0];
  return `${node.localName}/${own}`;
}

/** The node that is there already, which looks and does as the new one; without one that itself. */
function become(kept, fresh) {
  if (!kept) return fresh;
  if (kept.nodeType !== Node.ELEMENT_NODE) {
    if (kept.data !== fresh.data) kept.data = fresh.data;
    return kept;
  }
  for (const { name } of [...kept.attributes]) if (!fresh.hasAttribute(name)) kept.removeAttribute(name);
  for (const { name, value } of fresh.attributes) {
    if (kept.getAttribute(name) !== value) kept.setAttribute(name, value);
  }
  if ("checked" in kept) kept.checked = fresh.checked;
  doAs(kept, fresh);
  redraw(kept, ...fresh.childNodes);
  return kept;
}

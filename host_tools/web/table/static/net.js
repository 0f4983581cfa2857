// The page's data, and the way to the server. Every request carries the key of the link.

export const data = JSON.parse(document.getElementById("data").textContent);
export const texts = data.texts;

/** The text of a key with its {} filled in. */
export function say(key, ...values) {
  return values.reduce((text, value) => text.replace("{}", value), texts[key] ?? key);
}

export function link(path) {
  return `${path}${path.includes("?") ? "&" : "?"}key=${encodeURIComponent(data.key)}`;
}

/** Show a sentence in the alert line; "" takes it away, unless it is about something else. */
export function problem(text, about = "action") {
  const line = document.getElementById("problem");
  if (!text && line.dataset.about !== about) return;
  line.textContent = text;
  line.dataset.about = about;
}

async function answered(response, about) {
  if (!response.ok) {
    const text = await response.text();
    problem(text, about);
    throw new Error(text);
  }
  problem("", about);
  return response.json();
}

export async function get(path) {
  return answered(await fetch(link(path)), "reading");
}

export async function post(path, body) {
  return answered(await fetch(link(path), { method: "POST", body }), "action");
}

/** For what people start: a failure was told in the alert line already. */
export function quietly(act) {
  return (...all) => act(...all).catch(() => {});
}

/** Make an element: make("button", {type: "button"}, "text", child …). */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

/** The same for SVG. */
export function draw(name, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

let sent = Promise.resolve();

/** One message after the other, so that a button never goes up before it goes down. */
export function send(message) {
  sent = sent.then(() => post(`/t/${data.table}/do`, JSON.stringify(message)).catch(() => {})); // told in the alert line
  return sent;
}

// Checks signatures in the visitor's browser: what was signed comes from the address behind #, or
// from a file, and never leaves it. docs/security.md says what it proves.
"use strict";

const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const LIST_FORMAT = "schiri keys 1";
const CHAIN_START = "schiri-journal/1";
const KEPT = "schiri-keys-"; // the newest list of each desk that this browser has seen
const texts = {};
let known = null; // the list in use
let listChosen = false; // from a file: what the desk serves changes no verdict any more
let question = checkFragment; // what the verdict answers: the link, or a tournament chosen since
let turns = Promise.resolve();
let steps = [];
let step = 0;

class Refused extends Error {}

// -- bytes ------------------------------------------------------------------------------------------

function fromHex(text) {
  if (typeof text !== "string" || !/^([0-9a-f]{2})*$/.test(text)) throw new Refused("broken");
  return Uint8Array.from(text.match(/../g) || [], (pair) => parseInt(pair, 16));
}

function toHex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function fromBase64(text) {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    throw new Refused("broken");
  }
}

function utf8(text) {
  return new TextEncoder().encode(text);
}

function joined(...parts) {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

async function sha256(bytes) {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refused("broken");
  }
}

// -- signatures -------------------------------------------------------------------------------------

function asNumber(bytes) {
  return BigInt(`0x${toHex(bytes)}`);
}

async function importedKey(publicKey) {
  if (publicKey.length !== 65 || publicKey[0] !== 4) throw new Refused("list_bad");
  try {
    const kind = { name: "ECDSA", namedCurve: "P-256" };
    return await crypto.subtle.importKey("raw", publicKey, kind, false, ["verify"]);
  } catch {
    throw new Refused("list_bad"); // no point of the curve
  }
}

// r and s in range, and of the two s that fit the lower one
async function holds(publicKey, purpose, payload, signature) {
  if (signature.length !== 64) return false;
  const [r, s] = [asNumber(signature.slice(0, 32)), asNumber(signature.slice(32))];
  if (r <= 0n || r >= ORDER || s <= 0n || s > ORDER / 2n) return false;
  const key = await importedKey(publicKey);
  const signed = joined(utf8(`schiri sig 1 ${purpose}\0`), payload);
  return crypto.subtle.verify({ name: "ECDSA", hash: "SHA-256" }, key, signature, signed);
}

function grouped(id) {
  return id.match(/.{4}/g).join(" ");
}

// -- the list of keys -------------------------------------------------------------------------------

function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(",")}}`;
}

async function checkedKey(line, box) {
  const publicKey = fromHex(line.public);
  await importedKey(publicKey);
  if (toHex(await sha256(publicKey)).slice(0, 16) !== line.id) throw new Refused("list_bad");
  return { box, publicKey, id: line.id, since: line.since, revoked: line.revoked ?? null };
}

async function readList(text) {
  const said = parsed(text);
  if (said?.format !== LIST_FORMAT || !Array.isArray(said.keys) || !Array.isArray(said.desk)) {
    throw new Refused("list_bad");
  }
  const keys = new Map();
  const lines = [...said.desk.map((line) => [line, ""]), ...said.keys.map((line) => [line, line.box])];
  let issued = 0;
  for (const [line, box] of lines) {
    if (box !== "" && !/^[a-z0-9-]{1,64}$/.test(box)) throw new Refused("list_bad");
    const key = await checkedKey(line, box);
    if (keys.has(key.id)) throw new Refused("list_bad");
    keys.set(key.id, key);
    issued = Math.max(issued, key.since, key.revoked || 0);
  }
  if (said.issued !== issued) throw new Refused("list_bad");
  const { signature, ...content } = said;
  const signer = keys.get(said.signer);
  const signs = signer && signer.box === "" && signer.revoked === null;
  if (!signs || !await holds(signer.publicKey, "keys", utf8(canonical(content)), fromHex(signature))) {
    throw new Refused("list_bad");
  }
  return { league: said.league, signer: said.signer, issued, keys, text };
}

async function seenList(desk) {
  const kept = localStorage.getItem(KEPT + desk);
  try {
    return kept === null ? null : await readList(kept);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return null;
  }
}

function desksOf(list) {
  return [...(list?.keys.values() ?? [])].filter((key) => key.box === "").map((key) => key.id);
}

// an older list may lack what was revoked since: the newer one is used. A desk counts that the list
// names, or the one before it did, and that names the signer (cards/seen_lists.py has the same)
async function newest(list) {
  const { signer } = list;
  const desks = new Set([signer, ...desksOf(list), ...desksOf(await seenList(signer))]);
  for (const before of await Promise.all([...desks].map(seenList))) {
    const own = before?.keys.get(signer);
    const counts = own !== undefined && own.box === "";
    if (counts && (before.issued > list.issued || own.revoked !== null)) return { ...before, instead: true };
  }
  localStorage.setItem(KEPT + signer, list.text);
  return list;
}

async function takeList(text) {
  known = await newest(await readList(text));
  const which = known.instead ? "list_old" : "list";
  put("list", told(which, { league: known.league, desk: grouped(known.signer), at: day(known.issued) }));
}

// -- links ------------------------------------------------------------------------------------------

// kind (s a slip, p a paper), id of the key, signature, and what was signed
function readLink(fragment) {
  if (!/^[A-Za-z0-9_-]+$/.test(fragment)) throw new Refused("broken");
  const bytes = fromBase64(fragment.replace(/-/g, "+").replace(/_/g, "/"));
  const kind = { 115: "slip", 112: "paper" }[bytes[0]];
  if (kind === undefined || bytes.length < 75) throw new Refused("broken");
  const [id, signature, payload] = [bytes.slice(1, 9), bytes.slice(9, 73), bytes.slice(73)];
  return { kind, id: toHex(id), signature, payload };
}

function linesOf(claim) {
  const text = new TextDecoder("utf-8", { fatal: true });
  try {
    return claim.kind === "paper" ? text.decode(claim.payload).split("\n") : slipLines(claim.payload);
  } catch {
    throw new Refused("broken");
  }
}

async function checkLink(fragment) {
  const claim = readLink(fragment);
  if (known === null) throw new Refused("no_list");
  const key = known.keys.get(claim.id);
  const about = { key: grouped(claim.id), league: known.league };
  const ofBox = claim.kind === "slip";
  if (key === undefined || (key.box !== "") !== ofBox) return verdict("unknown", about);
  if (!await holds(key.publicKey, claim.kind, claim.payload, claim.signature)) return verdict("wrong", about);
  const lines = linesOf(claim);
  show(lines);
  if (key.revoked !== null) return verdict("revoked", { ...about, until: day(key.revoked) });
  const fields = { ...about, box: key.box, since: day(key.since), desk: grouped(known.signer) };
  return verdict(`${claim.kind}_good`, fields, true);
}

// -- slips: card_tags/FORMAT.md, signed slips --------------------------------------------------------

const REASONS = ["", "all_cards", "seat_out", "time", "jury", "forfeit", "excluded", "all_tied", "hands", "target",
  "last_seat", "chairs_full", "bar_full", "hand_empty", "bag", "no_table_card"];

class SlipReader {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  take(size) {
    const piece = this.bytes.slice(this.at, this.at + size);
    if (piece.length !== size) throw new Refused("broken");
    this.at += size;
    return piece;
  }

  byte() {
    return this.take(1)[0];
  }

  number() {
    let value = 0;
    for (let power = 1; ; power *= 128) {
      const byte = this.byte();
      value += (byte & 127) * power;
      if (byte < 128) return value;
      if (power > 2 ** 28) throw new Refused("broken");
    }
  }

  signed() {
    const folded = this.number();
    return folded % 2 ? -(folded + 1) / 2 : folded / 2;
  }

  text() {
    return new TextDecoder("utf-8", { fatal: true }).decode(this.take(this.byte()));
  }

  name(names) {
    const number = this.byte();
    if (number >= names.length) throw new Refused("broken");
    return number === 0 ? this.text() : names[number];
  }
}

function slipLines(payload) {
  const reader = new SlipReader(payload);
  reader.take(reader.byte()); // the tag's UID
  if (reader.byte() !== 115 || reader.byte() !== 1) throw new Refused("broken");
  reader.byte(); // of the key's id
  const match = `${reader.number()}-${toHex(reader.take(4))}`;
  const [game, table, reason, seconds] = [reader.text(), reader.number(), reader.name(REASONS), reader.number()];
  reader.take(16); // half of the journal's link
  const count = reader.byte();
  const seats = Array.from({ length: count }, () => seatOf(reader));
  if (reader.at !== payload.length) throw new Refused("broken");
  const minutes = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  seats.sort((one, other) => one.place - other.place);
  return [told("slip_match", { match, table, game, reason, minutes }), ...seats.map((seat) => seat.line)];
}

function seatOf(reader) {
  const [name, total, mark] = [reader.text(), reader.signed(), reader.byte()];
  const points = mark & 16 ? ` (${reader.signed()})` : "";
  return { place: mark & 15, line: `${mark & 15}. ${name || "–"}: ${total}${points}` };
}

// -- an exported tournament -------------------------------------------------------------------------

async function checkProof(text) {
  if (known === null) throw new Refused("no_list");
  const lines = text.split("\n");
  const [events, link] = await chained(lines);
  const [signed, ...kept] = lines.slice(events.length + 1, -1).map(parsed);
  const journals = new Map();
  for (const one of kept) {
    const raw = fromBase64(one.base64);
    if (toHex(await sha256(raw)) !== one.journal) throw new Refused("broken");
    journals.set(one.journal, raw);
  }
  const declared = parsed(lines[events.length]).journals;
  if (lines.at(-1) !== "" || signed === undefined || journals.size !== declared) throw new Refused("broken");
  const desk = known.keys.get(signed.signer);
  const about = { key: grouped(String(signed.signer)), league: known.league };
  if (desk === undefined || desk.box !== "") return verdict("unknown", about);
  const good = await holds(desk.publicKey, "export", fromHex(link), fromHex(signed.signature));
  if (!good) return verdict("wrong", about);
  const last = Date.parse(events.at(-1).at) / 1000;
  if (desk.revoked !== null && last >= desk.revoked) {
    return verdict("revoked", { ...about, until: day(desk.revoked) });
  }
  listMatches(events, journals);
  return verdict("export_good", { ...about, name: events[0].body.name }, true);
}

// the events, each behind its link, and the link of the last line
async function chained(lines) {
  const events = [];
  let link = "";
  for (const line of lines) {
    const found = /^(\{.*),"link":"([0-9a-f]{64})"\}$/.exec(line);
    if (found === null) break;
    const body = `${found[1]}}`;
    link = toHex(await sha256(utf8(`${link}\n${body}`)));
    if (link !== found[2]) break;
    if (body.startsWith('{"end":')) {
      if (parsed(body).end !== events.length) break;
      return [events, link];
    }
    events.push(parsed(body));
  }
  throw new Refused("broken");
}

function listMatches(events, journals) {
  const list = document.getElementById("matches");
  list.replaceChildren();
  for (const { body } of events) {
    if (body.is !== "reported" || body.source !== "box" || !journals.has(body.journal)) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = `${body.match}  ${body.cards.join(":")}`;
    button.addEventListener("click", () => inTurn(() => openJournal(body, journals.get(body.journal))));
    const item = document.createElement("li");
    item.append(button);
    list.append(item);
  }
  document.getElementById("tournament").hidden = list.children.length === 0;
}

// -- one match, step by step ------------------------------------------------------------------------

async function openJournal(said, raw) {
  const { records, seal, box, chain } = await readJournal(raw);
  steps = records;
  step = 0;
  showStep();
  document.getElementById("match").hidden = false;
  put("match-name", `${said.match}  ${said.cards.join(":")}`);
  const about = { box, league: known.league, key: seal?.id ? grouped(seal.id) : "–" };
  const key = known.keys.get(seal?.id);
  if (key === undefined || key.box !== box) return put("match-verdict", told("unknown", about));
  const count = new Uint8Array(4);
  new DataView(count.buffer).setUint32(0, seal.count);
  const fits = seal.head === toHex(chain);
  const good = fits && await holds(key.publicKey, "journal", joined(chain, count), fromHex(seal.sig));
  return put("match-verdict", told(good ? "match_good" : "wrong", about));
}

// records: "crc seq link payload"; a link is SHA-256 over the link before, the number and the payload
async function readJournal(raw) {
  const lines = new TextDecoder().decode(raw).split("\n").slice(0, -1);
  let chain = await sha256(utf8(CHAIN_START));
  let before = chain;
  const found = [];
  for (const line of lines) {
    const [, number, link, ...rest] = line.split(" ");
    const payload = rest.join(" ");
    before = chain;
    chain = await sha256(joined(chain, utf8(`${number} ${payload}`)));
    if (toHex(chain) !== link) throw new Refused("broken");
    found.push(payload.split("\t").map(parsed));
  }
  const seal = found.at(-1)?.[0]?.seal;
  return { records: seal ? found.slice(0, -1) : found, seal, box: found[0]?.[0]?.box, chain: before };
}

function showStep() {
  const code = document.getElementById("step");
  code.textContent = steps[step].map((part) => JSON.stringify(part, null, 1)).join("\n");
  put("step-number", `${step + 1} / ${steps.length}`);
  document.getElementById("before").disabled = step === 0;
  document.getElementById("after").disabled = step === steps.length - 1;
}

function move(by) {
  step = Math.min(steps.length - 1, Math.max(0, step + by));
  showStep();
}

// -- the page ---------------------------------------------------------------------------------------

function told(name, fields) {
  return texts[name].replace(/\{(\w+)\}/g, (whole, field) => fields[field] ?? whole);
}

function day(unix) {
  return new Date(unix * 1000).toLocaleDateString(document.documentElement.lang);
}

function put(id, text) {
  document.getElementById(id).textContent = text;
}

function show(lines) {
  const items = lines.map((line) => Object.assign(document.createElement("li"), { textContent: line }));
  document.getElementById("signed").replaceChildren(...items);
}

function verdict(name, fields = {}, good = false) {
  const place = document.getElementById("verdict");
  place.textContent = told(name, fields);
  place.dataset.state = name;
  place.className = good ? "good" : "bad";
}

async function guarded(work) {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    verdict(error.message);
  }
}

// one after the other: what was chosen last is answered last
function inTurn(work) {
  const done = turns.then(() => guarded(work));
  turns = done.catch(() => {});
  return done;
}

function answer() {
  show([]);
  return question();
}

function checkFragment() {
  const fragment = location.hash.slice(1);
  return fragment ? checkLink(fragment) : verdict("nothing");
}

function look() {
  return inTurn(() => {
    question = checkFragment;
    return answer();
  });
}

function takeFile(file) {
  return inTurn(async () => {
    const text = await file.text();
    if (text.startsWith('{"seq":')) {
      question = () => checkProof(text);
    } else {
      listChosen = true;
      await takeList(text);
    }
    return answer();
  });
}

// `text`: null if the desk serves no list. One that was chosen while it was under way stays.
async function takeServed(text) {
  if (text !== null && known === null) await takeList(text);
  if (!listChosen) await answer();
}

async function begin() {
  for (const one of document.querySelectorAll("#texts [data-text]")) texts[one.dataset.text] = one.textContent;
  if (!globalThis.crypto?.subtle) return verdict("no_crypto");
  document.getElementById("file").addEventListener("change", async ({ target }) => {
    await Promise.all(Array.from(target.files, takeFile));
    target.value = "";
  });
  document.getElementById("before").addEventListener("click", () => move(-1));
  document.getElementById("after").addEventListener("click", () => move(1));
  addEventListener("hashchange", look);
  const served = await fetch("keys.json").catch(() => null);
  const text = served?.ok ? await served.text() : null;
  await inTurn(() => takeServed(text));
}

begin();

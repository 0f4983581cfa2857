// Checks signatures in the visitor's browser: what was signed comes from the address behind #, or
// from a file, and never leaves it. docs/security.md says what it proves. The verdicts and their
// sentences are those of `schiri verify WHAT`; tests/browser/test_one_verdict.py compares the two.
"use strict";

const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const LIST_FORMAT = "schiri keys 1";
const MOST_LIST = 2 ** 22; // bytes of a list, as letters of it
const TIME_ENDS = 253402300800; // the year 10000
const CHAIN_START = "schiri-journal/1";
const KEPT = "schiri-keys-"; // the newest list of each desk that this browser has seen
const GOOD = "schiri-good-"; // when this browser first found an export good, by its last link
const LARGEST = 2 ** 53;
const DEEPEST = 16;
const NEVER = Infinity; // later than any date
const FORFEIT_CARDS = 12;
const MOST_LINES = 100000; // of a journal
const texts = {};
let known = null; // the list in use
let listChosen = false; // from a file: what the desk serves changes no verdict any more
let waiting = null; // a list of another desk, until somebody has compared its fingerprint
let question = checkFragment; // what the verdict answers: the link, or a tournament chosen since
let turns = Promise.resolve();
let steps = [];
let step = 0;

// `message`: the name of a sentence
class Refused extends Error {
  constructor(name, fields = {}) {
    super(name);
    this.fields = fields;
  }
}

// -- bytes ------------------------------------------------------------------------------------------

// with one spelling: else a bit of a signed file could change and nobody would see it
function fromHex(text) {
  if (typeof text !== "string" || !/^([0-9a-f]{2})*$/.test(text)) return null;
  return Uint8Array.from(text.match(/../g) || [], (pair) => parseInt(pair, 16));
}

function toHex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// strictly: atob passes over blanks and takes what has no padding
function fromBase64(text) {
  if (typeof text !== "string" || text.length % 4 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return null;
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

// null for what is no UTF-8
function strictText(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

function looseText(bytes) {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
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

// undefined for what is no JSON
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value) {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

function hasOnly(value, names) {
  return isObject(value) && Object.keys(value).every((name) => names.includes(name));
}

// -- signatures -------------------------------------------------------------------------------------

function asNumber(bytes) {
  return BigInt(`0x${toHex(bytes)}`);
}

// null for what is no point of the curve
async function importedKey(publicKey) {
  if (publicKey === null || publicKey.length !== 65 || publicKey[0] !== 4) return null;
  try {
    const kind = { name: "ECDSA", namedCurve: "P-256" };
    return await crypto.subtle.importKey("raw", publicKey, kind, false, ["verify"]);
  } catch {
    return null;
  }
}

// r and s in range, and of the two s that fit the lower one
async function holds(publicKey, purpose, payload, signature) {
  if (signature === null || signature.length !== 64) return false;
  const [r, s] = [asNumber(signature.slice(0, 32)), asNumber(signature.slice(32))];
  if (r <= 0n || r >= ORDER || s <= 0n || s > ORDER / 2n) return false;
  const key = await importedKey(publicKey);
  const signed = joined(utf8(`schiri sig 1 ${purpose}\0`), payload);
  return key !== null && crypto.subtle.verify({ name: "ECDSA", hash: "SHA-256" }, key, signature, signed);
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
  if (await importedKey(publicKey) === null) throw new Refused("public_key_bad", { text: line.public.slice(0, 80) });
  const id = toHex(await sha256(publicKey)).slice(0, 16);
  const times = [line.since, line.revoked ?? 0];
  if (id !== line.id || times.some((at) => at < 0 || at >= TIME_ENDS)) throw new Refused("key_list_contradicts");
  return { box, publicKey, id, since: line.since, revoked: line.revoked ?? null };
}

function isLine(line) {
  return isObject(line) && ["public", "id", "by"].every((name) => typeof line[name] === "string")
    && Number.isInteger(line.since) && (line.revoked === undefined || line.revoked === null || Number.isInteger(line.revoked))
    && (line.box === undefined || typeof line.box === "string");
}

function isList(said) {
  return isObject(said) && ["format", "league", "signer", "signature"].every((name) => typeof said[name] === "string")
    && Number.isInteger(said.issued) && [said.keys, said.desk].every((lines) => Array.isArray(lines) && lines.every(isLine))
    && said.format === LIST_FORMAT && fromHex(said.signature) !== null;
}

// o and 0, l, i and 1 read alike, and a hyphen is easily missed
function alike(box) {
  return box.replace(/o/g, "0").replace(/[li]/g, "1").replace(/-/g, "");
}

function checkBoxes(boxes) {
  const seen = new Map();
  for (const box of [...boxes].sort()) {
    const other = seen.get(alike(box)) ?? box;
    seen.set(alike(box), other);
    if (other !== box) throw new Refused("box_id_alike", { ids: `${other}, ${box}` });
  }
}

async function readList(text) {
  const said = text.length > MOST_LIST ? undefined : parsed(text);
  if (!isList(said)) throw new Refused("key_list_none");
  const found = [];
  for (const line of said.desk) found.push(await checkedKey(line, ""));
  for (const line of said.keys) {
    if (!/^[a-z0-9-]{1,64}$/.test(line.box ?? "") || !/[a-z0-9]/.test(line.box)) {
      throw new Refused("box_id_bad", { text: line.box ?? "" });
    }
    found.push(await checkedKey(line, line.box));
  }
  const keys = new Map(found.map((key) => [key.id, key]));
  const issued = Math.max(0, ...found.map((key) => Math.max(key.since, key.revoked ?? 0)));
  if (keys.size !== found.length || said.issued !== issued) throw new Refused("key_list_contradicts");
  checkBoxes(new Set(found.map((key) => key.box).filter(Boolean)));
  const { signature, ...content } = said;
  const signer = keys.get(said.signer);
  if (signer === undefined || signer.box !== "" || signer.revoked !== null) {
    throw new Refused("key_list_signer", { name: said.signer });
  }
  if (!await holds(signer.publicKey, "keys", utf8(canonical(content)), fromHex(signature))) {
    throw new Refused("key_list_forged");
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

function called(league) {
  return league.normalize("NFKC").toLowerCase().split(/\s+/).filter(Boolean).join(" ");
}

function seenDesks() {
  const names = Array.from({ length: localStorage.length }, (_, at) => localStorage.key(at));
  return names.filter((name) => name.startsWith(KEPT)).map((name) => name.slice(KEPT.length));
}

// an older list may lack what was revoked since: the newer one is used. A desk counts that the list
// names, or the one before it did, and that names the signer (cards/seen_lists.py has the same).
// Another desk under the name of a league that was seen waits until somebody has compared it.
async function newest(list, compared) {
  const { signer } = list;
  const desks = new Set([signer, ...desksOf(list), ...desksOf(await seenList(signer))]);
  const lists = await Promise.all([...desks].map(seenList));
  const before = lists.filter((one) => one?.keys.get(signer)?.box === "");
  for (const one of before) {
    if (one.issued > list.issued || one.keys.get(signer).revoked !== null) return { ...one, instead: true };
  }
  const others = before.length || compared ? [] : await Promise.all(seenDesks().map(seenList));
  const other = others.find((one) => one !== null && called(one.league) === called(list.league));
  if (other) {
    waiting = list;
    const about = { fingerprint: grouped(signer), wanted: grouped(other.signer) };
    throw new Refused("key_list_other_desk", { league: list.league, ...about });
  }
  localStorage.setItem(KEPT + signer, list.text);
  return list;
}

async function takeList(text, compared = false) {
  known = waiting = null; // a list that is refused leaves none behind
  put("list", "");
  known = await newest(await readList(text), compared);
  const which = known.instead ? "list_old" : "list";
  put("list", told(which, { league: known.league, desk: grouped(known.signer), at: day(known.issued) }));
}

// -- links ------------------------------------------------------------------------------------------

// kind (s a slip, p a paper), id of the key, signature, and what was signed
function readLink(fragment) {
  const text = fragment.replace(/-/g, "+").replace(/_/g, "/");
  const letters = /^[A-Za-z0-9_-]+$/.test(fragment);
  const bytes = letters ? fromBase64(text + "=".repeat((4 - (text.length % 4)) % 4)) : null;
  const kind = { 115: "slip", 112: "paper" }[bytes?.[0]];
  if (kind === undefined || bytes.length <= 73) throw new Refused("link_none");
  const [id, signature, payload] = [bytes.slice(1, 9), bytes.slice(9, 73), bytes.slice(73)];
  return { kind, id: toHex(id), signature, payload };
}

function linesOf(claim) {
  const lines = claim.kind === "paper" ? strictText(claim.payload)?.split("\n") : slipLines(claim.payload);
  if (lines === undefined) throw new Refused("link_none");
  return lines;
}

async function checkLink(fragment) {
  const claim = readLink(fragment);
  if (known === null) throw new Refused("no_list");
  const key = known.keys.get(claim.id);
  const about = { fingerprint: grouped(claim.id), league: known.league };
  if (key === undefined || (key.box !== "") !== (claim.kind === "slip")) return verdict("claim_unknown", about);
  if (!await holds(key.publicKey, claim.kind, claim.payload, claim.signature)) return verdict("claim_wrong", about);
  show(linesOf(claim));
  if (key.revoked !== null) return verdict("claim_revoked", about);
  return verdict(`${claim.kind}_proves`, { ...about, box: key.box }, "good");
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
    if (piece.length !== size) throw new Refused("link_none");
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
      if (power > 2 ** 28) throw new Refused("link_none");
    }
  }

  signed() {
    const folded = this.number();
    return folded % 2 ? -(folded + 1) / 2 : folded / 2;
  }

  text() {
    const text = strictText(this.take(this.byte()));
    if (text === null) throw new Refused("link_none");
    return text;
  }

  name(names) {
    const number = this.byte();
    if (number >= names.length) throw new Refused("link_none");
    return number === 0 ? this.text() : names[number];
  }
}

function slipLines(payload) {
  const reader = new SlipReader(payload);
  reader.take(reader.byte()); // the tag's UID
  if (reader.byte() !== 115 || reader.byte() !== 1) throw new Refused("link_none");
  reader.byte(); // of the key's id
  const match = `${reader.number()}-${toHex(reader.take(4))}`;
  const [game, table, reason, seconds] = [reader.text(), reader.number(), reader.name(REASONS), reader.number()];
  reader.take(16); // half of the journal's link
  const count = reader.byte();
  const seats = Array.from({ length: count }, () => seatOf(reader));
  if (reader.at !== payload.length) throw new Refused("link_none");
  const minutes = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  seats.sort((one, other) => one.place - other.place);
  return [told("slip_match", { match, table, game, reason, minutes }), ...seats.map((seat) => seat.line)];
}

function seatOf(reader) {
  const [name, total, mark] = [reader.text(), reader.signed(), reader.byte()];
  const points = mark & 16 ? ` (${reader.signed()})` : "";
  return { place: mark & 15, line: `${mark & 15}. ${name || "–"}: ${total}${points}` };
}

// -- an exported tournament: tournament/log_file.py, tournament/box_reports.py -----------------------

async function checkProof(path, bytes) {
  if (known === null) throw new Refused("no_list");
  const log = await readProof(path, bytes);
  const about = { path, name: log.signer };
  if (!log.signer) throw new Refused("export_unsigned", about);
  const desk = known.keys.get(log.signer);
  if (desk === undefined || desk.box !== "") throw new Refused("export_signer", about);
  if (!await holds(desk.publicKey, "export", fromHex(log.link), log.signature)) throw new Refused("export_forged", about);
  // no time in the file counts: whoever has the key can write any
  const before = Number(localStorage.getItem(GOOD + log.link) ?? NEVER);
  if (desk.revoked !== null && before >= desk.revoked) throw new Refused("export_revoked", about);
  const events = log.texts.map(parsed);
  if (events.some((event) => !isObject(event?.body))) throw new Refused("log_changed", { path, line: 1 });
  const reports = reportsIn(events, log);
  const places = new Set(log.last.reports.map((place) => place.journal));
  if (places.size !== reports.length || !reports.every(({ said }) => places.has(said.journal))) {
    throw new Refused("export_counts", { path });
  }
  const byBox = new Set();
  for (const report of reports) {
    if (await isByBox(report, log.last.tournament)) byBox.add(report.said.match);
  }
  listMatches(reports);
  if (before === NEVER) localStorage.setItem(GOOD + log.link, String(Math.floor(Date.now() / 1000)));
  show([told("export_rests", { count: byBox.size, rest: log.last.counted - byBox.size }), told("rest_export")]);
  const named = { fingerprint: grouped(log.signer), league: known.league, name: events[0].body.name };
  return verdict("export_proves", named, "half");
}

async function readProof(path, bytes) {
  const lines = looseText(bytes).split("\n");
  const changed = (line) => new Refused("log_changed", { path, line });
  const [texts, link, end] = await chained(lines, changed);
  const [last, at] = [parsed(end), texts.length + 1];
  const behind = lines.length - at - 2;
  const wanted = last?.journals ?? -1;
  if (!hasOnly(last, ["end", "journals", "tournament", "counted", "reports"]) || last.end !== texts.length) throw changed(at);
  if (wanted !== -1 && wanted !== behind) throw changed(at);
  if (wanted !== behind) throw changed(at + 1);
  const log = { texts, link, last: { tournament: "", counted: 0, reports: [], ...last }, journals: new Map(), signer: "" };
  return wanted === -1 ? log : signedPart(log, lines.slice(at), at + 1, changed);
}

// behind the last line: who has signed it, and the journals
async function signedPart(log, lines, first, changed) {
  const [signed, ...kept] = lines.slice(0, -1).map(parsed);
  const isSigned = hasOnly(signed, ["signer", "signature"]) && typeof signed.signer === "string";
  if (!isSigned || typeof signed.signature !== "string") throw changed(first);
  for (const [at, one] of kept.entries()) {
    const raw = hasOnly(one, ["journal", "base64"]) ? fromBase64(one.base64) : null;
    if (raw === null || toHex(await sha256(raw)) !== one.journal) throw changed(first + 1 + at);
    log.journals.set(one.journal, raw);
  }
  const signature = fromHex(signed.signature);
  const whole = signature !== null && lines.at(-1) === "" && log.journals.size === kept.length;
  if (!whole) throw changed(first + kept.length);
  return { ...log, signer: signed.signer, signature };
}

// the texts of the events, each behind its link, the link of the last line, and that line
async function chained(lines, changed) {
  const texts = [];
  let link = "";
  for (const line of lines) {
    const found = /^(\{.*),"link":"([0-9a-f]{64})"\}$/s.exec(line);
    const text = found === null ? "" : `${found[1]}}`;
    link = toHex(await sha256(utf8(`${link}\n${text}`)));
    if (found === null || link !== found[2]) throw changed(texts.length + 1);
    if (text.startsWith('{"end":')) return [texts, link, text];
    texts.push(text);
  }
  throw changed(texts.length + 1);
}

// what boxes reported and the desk did not contest, the last of each journal, in the log's order
function reportsIn(events, log) {
  const found = new Map();
  const places = new Map(log.last.reports.map((place) => [place.journal, place]));
  for (const { at, body } of events) {
    const raw = log.journals.get(body.journal);
    if (body.is !== "reported" || body.source !== "box" || body.trust === "contested" || raw === undefined) continue;
    const place = { seats: [], counts: false, ...places.get(body.journal) };
    found.set(body.journal, { said: { kind: "played", winner: null, places: [], ...body }, at, raw, place });
  }
  return [...found.values()];
}

function listMatches(reports) {
  const buttons = reports.map(({ said, raw, at }) => {
    const button = Object.assign(document.createElement("button"), { type: "button" });
    button.textContent = `${said.match}  ${said.cards.join(":")}`;
    button.addEventListener("click", () => inTurn(() => openJournal(said, raw, seconds(at))));
    const item = document.createElement("li");
    item.append(button);
    return item;
  });
  document.getElementById("matches").replaceChildren(...buttons);
  document.getElementById("tournament").hidden = buttons.length === 0;
}

function seconds(at) {
  return Math.floor(Date.parse(at) / 1000);
}

// the match counts with it by the box's signature; otherwise by the desk's word alone
async function isByBox({ said, at, raw, place }, tournament) {
  const journal = await readJournal(raw);
  const judged = await judge(journal, seconds(at));
  if (judged.state !== "verified" || !namesIt(journal.header, said, place, tournament)) return false;
  const wanted = JSON.stringify([said.cards, said.kind, said.winner, said.places]);
  if (!results(journal.result, place).some((one) => JSON.stringify(one) === wanted)) {
    throw new Refused("export_differs", { match: said.match });
  }
  return place.counts;
}

function namesIt(header, said, place, tournament) {
  const here = { tournament, tournament_match: said.match, stage: place.stage, table: place.table };
  const named = Object.entries(here).every(([name, wanted]) => !header[name] || String(header[name]) === String(wanted));
  const missing = place.seats.length ? place.players.filter((one) => !place.seats.includes(one)).length : 0;
  const atIt = place.seats.every((one) => place.players.includes(one)) && missing <= (place.players.length > 2 ? 1 : 0);
  return named && header.box === said.box && atIt;
}

// cards in the match's order of players, kind, winner, places; both ways round without names
function results(result, { players, seats }) {
  const counts = result.counts ?? result.scores;
  if (!Array.isArray(counts) || counts.length < 2 || !counts.every(Number.isInteger) || !result.over) return [];
  const isRanking = Array.isArray(result.ranking) && result.ranking.every((place) => Array.isArray(place));
  const ranking = isRanking ? result.ranking : [];
  if (players.length > 2) return [ofSeveral(counts, ranking, players, seats.length ? seats : players)];
  if (counts.length !== 2) return [];
  const orders = seats.length ? [seats] : [players, [...players].reverse()];
  return orders.map((order) => ofTwo(counts, ranking, result.reason, players, order));
}

function ofTwo(counts, ranking, reason, players, seats) {
  const [cards, kind, winning] = countedBySeat(counts, ranking[0] ?? [], reason);
  return [players.map((one) => cards[seats.indexOf(one)]), kind, winning === null ? null : seats[winning], []];
}

// SW-5, SW-7, TR-8: tournament/incoming.py has the same
function countedBySeat([one, other], ahead, reason) {
  if (reason === "forfeit" || reason === "excluded") {
    return [(ahead[0] ?? 0) === 0 ? [FORFEIT_CARDS, 0] : [0, FORFEIT_CARDS], reason, null];
  }
  if (ahead.length !== 1) return [[one, other], one === other ? "played" : "drawn", null];
  if (one === other) return [[one, other], "played", ahead[0]];
  const contradicted = (one > other) !== (ahead[0] === 0);
  return [[one, other], contradicted ? "drawn" : "played", contradicted ? ahead[0] : null];
}

function ofSeveral(counts, ranking, players, seats) {
  const places = new Map();
  for (const level of ranking) {
    const place = places.size + 1;
    for (const seat of level) places.set(seat, place);
  }
  const at = players.map((one) => seats.indexOf(one));
  return [at.map((seat) => counts[seat] ?? 0), "played", null, at.map((seat) => places.get(seat) ?? 0)];
}

// -- a journal: store/journal/reading.py, store/journal/verdict.py -----------------------------------

async function checkJournal(path, raw) {
  if (known === null) throw new Refused("no_list");
  if (raw.reduce((count, byte) => count + (byte === 10 ? 1 : 0), 0) > MOST_LINES) throw new Refused("file_large", { path });
  const journal = await readJournal(raw);
  const [name, fields, state] = await journalVerdict(journal, NEVER);
  show(state === "half" ? [told("rest_journal")] : []);
  showSteps(journal, `${journal.box}  ${journal.number}`);
  return verdict(name, fields, state);
}

async function journalVerdict(journal, received) {
  const { state, reason } = await judge(journal, received);
  const about = { box: journal.box, number: journal.number, league: known.league };
  if (state === "verified") return ["journal_proves", { ...about, fingerprint: grouped(journal.seal.id) }, "half"];
  const detail = told(reason[0], reason[1]);
  return ["journal_proves_nothing", { ...about, status: told(state), detail }, "bad"];
}

async function openJournal(said, raw, received) {
  const journal = await readJournal(raw);
  showSteps(journal, `${said.match}  ${said.cards.join(":")}`);
  const [name, fields] = await journalVerdict(journal, received);
  put("match-verdict", told(name, fields));
}

function showSteps(journal, name) {
  steps = journal.steps;
  step = 0;
  document.getElementById("match").hidden = steps.length === 0;
  put("match-name", name);
  put("match-verdict", "");
  if (steps.length) showStep();
}

async function judge(journal, received) {
  const contested = (name, fields = {}) => ({ state: "contested", reason: [name, fields] });
  const unverified = (name) => ({ state: "unverified", reason: [name, {}] });
  if (journal.header === null) return contested("verdict_header");
  const serious = journal.faults.filter((fault) => fault.kind !== "torn");
  if (serious.length) {
    const [{ line, name, fields }, ...more] = serious;
    const about = { line, detail: told(name, fields), count: more.length };
    return contested(more.length ? "verdict_lines" : "verdict_line", about);
  }
  const { seal } = journal;
  if (seal !== null && seal.count !== journal.lastSeq) {
    return contested("verdict_seal_count", { record: seal.count, count: seal.count, last: journal.lastSeq });
  }
  if (seal !== null && seal.head !== journal.headBefore) return contested("verdict_seal_head");
  if (journal.result === null) return unverified("verdict_unfinished");
  if (seal === null) return unverified("verdict_unsealed");
  const enrolled = [...known.keys.values()].filter((key) => key.box !== "" && key.box === journal.box);
  if (seal.sig === null) {
    const since = enrolled[0]?.since ?? NEVER;
    return enrolled.length && received >= since ? contested("verdict_missing_signature") : unverified("verdict_unsigned");
  }
  if (!enrolled.length) return unverified("verdict_not_enrolled");
  const place = enrolled.findIndex((key) => key.id === seal.id);
  if (place < 0) return contested("verdict_other_key", { number: seal.id ?? "None" });
  if (!await sealHolds(enrolled[place], seal)) return contested("verdict_signature");
  if (enrolled[place].revoked !== null && received >= enrolled[place].revoked) return contested("verdict_revoked");
  const later = enrolled[place + 1];
  if (later !== undefined && received >= later.since) return contested("verdict_replaced");
  return { state: "verified", reason: null };
}

async function sealHolds(key, seal) {
  const head = fromHex(seal.head);
  if (head === null || seal.count < 0 || seal.count >= 2 ** 32) return false;
  const count = new Uint8Array(4);
  new DataView(count.buffer).setUint32(0, seal.count);
  return holds(key.publicKey, "journal", joined(head, count), fromHex(seal.sig));
}

const CRC = Uint32Array.from({ length: 256 }, (_, start) => {
  let value = start;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});

function crc32(bytes) {
  let value = 0xffffffff;
  for (const byte of bytes) value = CRC[(value ^ byte) & 255] ^ (value >>> 8);
  return ((value ^ 0xffffffff) >>> 0).toString(16).padStart(8, "0");
}

// records: "crc seq link payload"; a link is SHA-256 over the link before, the number and the payload
function readRecord(line) {
  const body = line.slice(9);
  if (looseText(line.slice(0, 9)) !== `${crc32(body)} `) return null;
  const text = strictText(body);
  const found = text === null ? null : /^(\d{1,15}) ([0-9a-f]{64}) (.*)$/s.exec(text);
  return found && { seq: Number(found[1]), link: found[2], payload: found[3] };
}

function linesIn(raw) {
  const lines = [];
  let from = 0;
  for (let at = raw.indexOf(10); at >= 0; at = raw.indexOf(10, from)) {
    lines.push(raw.subarray(from, at));
    from = at + 1;
  }
  // no newline at the end: cut off while it was written, and read all the same
  return from < raw.length ? [...lines, raw.subarray(from)] : lines;
}

async function readJournal(raw) {
  const journal = {
    header: null, result: null, seal: null, steps: [], faults: [], headBefore: "", head: "", lastSeq: -1, box: "?", number: 0,
  };
  const fault = (line, kind, name, fields = {}) => journal.faults.push({ line, kind, name, fields });
  let [chain, next, gap, bad] = [await sha256(utf8(CHAIN_START)), 0, false, []];
  for (const [at, piece] of linesIn(raw).entries()) {
    const [line, record] = [at + 1, readRecord(piece)];
    if (record === null) {
      bad.push(line);
      gap = true;
      continue;
    }
    const follows = toHex(await sha256(joined(chain, utf8(`${record.seq} ${record.payload}`)))) === record.link;
    if (!follows && !gap) fault(line, "chain", "verdict_chain");
    if (record.seq < next || (record.seq > next && !gap)) fault(line, "sequence", "verdict_number", { found: record.seq, expected: next });
    if (follows && gap && record.payload.startsWith('{"note": "torn"') && bad.at(-1) === line - 1) {
      bad = bad.slice(0, -1);
      fault(line - 1, "torn", "verdict_torn");
    }
    [gap, chain, next] = [false, fromHex(record.link), record.seq + 1];
    [journal.lastSeq, journal.headBefore, journal.head] = [record.seq, journal.head, record.link];
    const wrong = takeRecord(journal, line, record.payload);
    if (wrong) fault(line, "form", wrong);
  }
  for (const line of bad) fault(line, "damaged", "verdict_damaged");
  journal.faults.sort((one, other) => one.line - other.line);
  journal.box = String(journal.header?.box ?? "?").slice(0, 64);
  const number = journal.header?.match;
  journal.number = Number.isInteger(number) && number > 0 && number < 1e6 ? number : 0;
  return journal;
}

// the name of what is wrong with a record, "" for nothing
function takeRecord(journal, line, payload) {
  const parts = payload.split("\t").map(parsed);
  if (parts.length > 2 || !parts.every((part) => isObject(part) && isPlain(part, DEEPEST))) return "verdict_form";
  if (parts.length === 2 || !isObject(parts[0].seal)) journal.steps.push(parts);
  if (parts.length === 2) return "";
  const [part] = parts;
  if (line === 1) journal.header = part;
  else if (isObject(part.result)) journal.result = part.result;
  else if (isObject(part.seal)) return takeSeal(journal, part.seal);
  else if (!("note" in part)) return "verdict_kind";
  return "";
}

function takeSeal(journal, { count, head, id = null, sig = null }) {
  journal.seal = null;
  if (!Number.isInteger(count) || head === undefined) return "verdict_no_seal";
  journal.seal = { count, head: String(head), id: id === null ? null : String(id), sig: sig === null ? null : String(sig) };
  return "";
}

// what every reader takes: no NUL, no number that only some know, not too deep
function isPlain(value, deep) {
  if (typeof value === "string") return !value.includes("\0");
  if (typeof value === "number") return Math.abs(value) <= LARGEST;
  if (value === null || typeof value !== "object") return true;
  return deep > 0 && Object.entries(value).every(([name, one]) => isPlain(name, deep) && isPlain(one, deep - 1));
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

function told(name, fields = {}) {
  // {count:result is|results are}: a noun follows its number
  return texts[name].replace(/\{(\w+)(?::([^{}|]+)\|([^{}|]+))?\}/g, (whole, field, one, many) => {
    const value = fields[field] ?? whole;
    return one === undefined ? value : `${value} ${String(value) === "1" ? one : many}`;
  });
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

// `state`: good; half, for what this page cannot check to its end; bad
function verdict(name, fields = {}, state = "bad") {
  const place = document.getElementById("verdict");
  place.textContent = told(name, fields);
  place.dataset.state = name;
  place.className = state;
  document.getElementById("accept").hidden = name !== "key_list_other_desk";
}

async function guarded(work) {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    verdict(error.message, error.fields);
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
  document.getElementById("match").hidden = true;
  document.getElementById("tournament").hidden = true;
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

// a log begins so, a list of keys with its first bracket; a journal is everything else
function questionOf(name, bytes) {
  const start = looseText(bytes.slice(0, 7));
  if (start === '{"seq":') return () => checkProof(name, bytes);
  return start.startsWith("{") ? null : () => checkJournal(name, bytes);
}

function takeFile(file) {
  return inTurn(async () => {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const asked = questionOf(file.name, bytes);
    if (asked === null) {
      listChosen = true;
      await takeList(looseText(bytes));
    } else {
      question = asked;
    }
    return answer();
  });
}

// a person has compared the fingerprint with what the league has on show
function accept() {
  return inTurn(async () => {
    await takeList(waiting.text, true);
    return answer();
  });
}

// `text`: null if the desk serves no list. One that was chosen while it was under way stays.
async function takeServed(text) {
  if (text !== null && known === null && !listChosen) await takeList(text);
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
  document.getElementById("accept").addEventListener("click", accept);
  addEventListener("hashchange", look);
  const served = await fetch("keys.json").catch(() => null);
  const text = served?.ok ? await served.text() : null;
  await inTurn(() => takeServed(text));
}

begin();

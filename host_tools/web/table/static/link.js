// The laptop's end of the link to a box (docs/link.md), for Web Serial: one JSON object and its CRC32 a line.

const ATTEMPTS = 5;
const SILENCE_MS = 2000;
const decoder = new TextDecoder();
const encoder = new TextEncoder();

const CRC = new Uint32Array(256).map((_, number) => {
  let value = number;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});

export function crc32(bytes) {
  let value = 0xffffffff;
  for (const byte of bytes) value = CRC[(value ^ byte) & 0xff] ^ (value >>> 8);
  return ((value ^ 0xffffffff) >>> 0).toString(16).padStart(8, "0");
}

export function writeFrame(message) {
  const body = encoder.encode(JSON.stringify(message));
  return encoder.encode(`\n${decoder.decode(body)} ${crc32(body)}\n`);
}

/** The message in a line, or null if a bit is wrong. */
export function readFrame(line) {
  const body = encoder.encode(line.slice(0, -9));
  if (line.slice(-9) !== ` ${crc32(body)}`) return null;
  return JSON.parse(decoder.decode(body));
}

/** A journal line from a frame: `"` and `~` have traded places; "!" means base64. */
export function unpackLine(text) {
  if (text.startsWith("!")) return atob(text.slice(1));
  return text.replace(/["~]/g, (letter) => (letter === '"' ? "~" : '"'));
}

/** One box on one serial port. Requests go out one at a time; every one may be repeated. */
export class BoxLink {
  /** `say(key)` gives the words of the page, for what goes wrong. */
  constructor(port, say) {
    this.port = port;
    this.say = say;
    this.id = Math.floor(Math.random() * 1e6);
    this.waiting = null;
    this.pending = [];
    this.last = Promise.resolve();
  }

  async open() {
    await this.port.open({ baudRate: 115200 });
    this.reader = this.port.readable.getReader();
    this.writer = this.port.writable.getWriter();
    this.listening = this.listen();
  }

  async close() {
    await this.reader.cancel();
    await this.listening;
    this.reader.releaseLock();
    this.writer.releaseLock();
    await this.port.close();
  }

  async listen() {
    for (;;) {
      const { value, done } = await this.reader.read();
      if (done) return;
      for (const byte of value) {
        if (byte !== 10) this.pending.push(byte);
        else this.onLine(decoder.decode(new Uint8Array(this.pending.splice(0))));
      }
    }
  }

  onLine(line) {
    const message = readFrame(line.replace(/\r$/, ""));
    if (message && this.waiting && message.id === this.waiting.id) this.waiting.done(message);
  }

  /** Ask; one request after the other. Throws when the box is silent or says no. */
  request(what, fields = {}) {
    const turn = this.last.then(() => this.ask(what, fields));
    this.last = turn.catch(() => {});
    return turn;
  }

  async ask(what, fields) {
    const id = ++this.id;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const answer = new Promise((done) => {
        this.waiting = { id, done };
        setTimeout(() => done(null), SILENCE_MS);
      });
      await this.writer.write(writeFrame({ id, do: what, ...fields }));
      const message = await answer;
      if (message?.error) throw new Error(`${message.error} (${message.text})`);
      if (message) return message;
    }
    throw new Error(this.say("box_silent"));
  }

  /** All lines of a match's journal. */
  async journal(match) {
    const lines = [];
    for (let from = 0, end = false; !end; ) {
      const part = await this.request("records", { match, from });
      lines.push(...part.lines.map(unpackLine));
      ({ next: from, end } = part);
    }
    return lines;
  }
}

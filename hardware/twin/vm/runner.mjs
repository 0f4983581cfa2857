// Runs the box's firmware in the MicroPython VM. Every call of its `machine` goes over stdout to the twin, which
// answers on stdin: one message out, one message in, always in turn. The twin ends this process when power is cut.
//
// A message out: eight 32-bit words (op, a, b, c, µs spent since the last one, 1 + µs after which the watchdog was
// fed or 0, wants bytes back, length) and bytes.
// A message in:  twelve words (result, the eleven words of bridge.py's state, except that SPENT is the length of the
// bytes which follow). Facts about the VM: docs/decisions/twin.md.

import * as fs from "node:fs";
import * as path from "node:path";

const REQUEST_WORDS = 8;
const ANSWER_WORDS = 12;
const SPENT = 3; // word of the state
const ORDER_HEAP = 1;
const ORDERS = 9;
const FED = 11; // the last word, ours alone: not in the answer
const USB_WRITE = 22;
const HEAP = 51;

const plan = JSON.parse(process.argv[2]);
const { loadMicroPython } = await import(plan.vm);
const romfs = plan.romfs ? fs.readFileSync(plan.romfs) : undefined;
const vm = await loadMicroPython({ romfs, linebuffer: false, stdout: onPrint, stderr: onPrint });
const native = vm._module;
let stateAt = 0; // byte address of the state words in the VM's memory
let spy = null; // collects what the interpreter prints while the twin asks for the heap

function words() {
    return new Int32Array(native.HEAPU8.buffer);
}

function writeAll(bytes) {
    for (let done = 0; done < bytes.length; ) done += fs.writeSync(1, bytes, done);
}

function readAll(bytes) {
    for (let done = 0; done < bytes.length; ) {
        const got = fs.readSync(0, bytes, done, bytes.length - done, null);
        if (got === 0) process.exit(0); // the twin is gone
        done += got;
    }
}

function exchange(op, a, b, c, wants, payload) {
    const at = stateAt >> 2;
    const spent = stateAt ? words()[at + SPENT] : 0;
    const fed = stateAt ? words()[at + FED] : 0;
    if (fed) words()[at + FED] = 0;
    const out = Buffer.alloc(REQUEST_WORDS * 4 + (wants ? 0 : payload.length));
    new Int32Array(out.buffer, out.byteOffset, REQUEST_WORDS).set([op, a, b, c, spent, fed, wants, payload.length]);
    if (!wants) out.set(payload, REQUEST_WORDS * 4);
    writeAll(out);
    const head = Buffer.alloc(ANSWER_WORDS * 4);
    readAll(head);
    const answer = new Int32Array(head.buffer, head.byteOffset, ANSWER_WORDS);
    const state = answer.subarray(1);
    const bytes = Buffer.alloc(state[SPENT]);
    readAll(bytes);
    state[SPENT] = 0;
    if (stateAt) words().set(state, at);
    if (state[ORDERS] & ORDER_HEAP) spy = [];
    return { result: answer[0], bytes };
}

function request(op, a, b, c, address, length, into) {
    let payload = native.HEAPU8.subarray(address, address + length);
    if (op === HEAP) {
        payload = Buffer.concat(spy);
        spy = null;
    }
    const answer = exchange(op, a, b, c, into, payload);
    if (into) native.HEAPU8.set(answer.bytes, address);
    return answer.result;
}

function onPrint(data) {
    if (spy) spy.push(Buffer.from(data));
    else if (stateAt) exchange(USB_WRITE, 0, 0, 0, 0, data); // on a Pico the console is the USB line
    else process.stderr.write(data);
}

function copyTree(from, to) {
    vm.FS.mkdirTree(path.posix.dirname(to));
    if (!fs.statSync(from).isDirectory()) return vm.FS.writeFile(to, fs.readFileSync(from));
    vm.FS.mkdirTree(to);
    for (const name of fs.readdirSync(from)) {
        if (name !== "__pycache__") copyTree(path.join(from, name), `${to}/${name}`);
    }
}

for (const [from, to] of plan.trees) copyTree(from, to);
vm.registerJsModule("_twin", { request, share: (address) => { stateAt = address; } });
try {
    // Three calls, because the VM collects garbage only between them.
    vm.runPython(`
import gc, sys, _twin
sys.path.append("/")  # with a ROM image the current folder is /rom
from hardware.twin.vm.boot import Boot
_boot = Boot(_twin.request, _twin.share, ${plan.cpuUs}, ${JSON.stringify(plan.storage)})
gc.collect()`);
    vm.runPython(`_going = _boot.start(${JSON.stringify(plan.entry)})`);
    const turn = vm.globals.get("_boot").turn;
    if (vm.globals.get("_going")) while (turn());
} catch (error) {
    if (error.code === "EPIPE") process.exit(0); // the twin is gone
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
}
process.exit(0); // the VM would keep Node alive

// Runs one Python program inside the MicroPython VM. The plan (argument 1, JSON): `vm` the VM's module, `files`
// pairs of [path in the VM, path here], `main` the program's path here. Lines on stdin are what the program reads
// with `_host.read()` (null at the end); `_host.write(line)` puts a line on stdout. What the program prints, for
// example the traceback of a fault, goes to stderr.

import * as fs from "node:fs";
import * as path from "node:path";

const CHUNK = 65536;
const plan = JSON.parse(process.argv[2]);
const { loadMicroPython } = await import(plan.vm);
const toStderr = (line) => fs.writeSync(2, line + "\n");
const vm = await loadMicroPython({ stdout: toStderr, stderr: toStderr });

let waiting = []; // bytes of the line that is not complete yet
let lines = [];
let ended = false;

function readMore() {
    // a new one each time: `waiting` keeps views of it
    const chunk = Buffer.alloc(CHUNK);
    const got = fs.readSync(0, chunk, 0, CHUNK, null);
    ended = got === 0;
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0 && end < got; end = chunk.indexOf(10, start)) {
        lines.push(Buffer.concat([...waiting, chunk.subarray(start, end)]).toString());
        waiting = [];
        start = end + 1;
    }
    waiting.push(chunk.subarray(start, got));
}

let told = []; // lines not yet written; they go out before this program waits
let toldLength = 0;

function flush() {
    const bytes = Buffer.from(told.join(""));
    // a pipe may take only a part
    for (let done = 0; done < bytes.length; ) done += fs.writeSync(1, bytes, done);
    told = [];
    toldLength = 0;
}

let next = 0;
vm.registerJsModule("_host", {
    read() {
        while (next === lines.length && !ended) {
            lines = [];
            next = 0;
            flush();
            readMore();
        }
        return next < lines.length ? lines[next++] : null;
    },
    write(line) {
        told.push(line + "\n");
        toldLength += line.length;
        if (toldLength > CHUNK) flush();
    },
});

for (const [place, source] of plan.files) {
    vm.FS.mkdirTree(path.posix.dirname(place));
    vm.FS.writeFile(place, fs.readFileSync(source));
}
let code = 0;
try {
    vm.runPython(fs.readFileSync(plan.main, "utf8"));
} catch (fault) {
    toStderr(String(fault.message ?? fault));
    code = 1;
}
flush();
process.exit(code); // the VM keeps Node alive

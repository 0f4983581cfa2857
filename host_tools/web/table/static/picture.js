// The result as a picture to send or to keep: drawn on this device, no server is asked.

import { data, say } from "./net.js";

const WIDTH = 1080, EDGE = 80, ROW = 92, HEAD = 400, FOOT = 120;
const COLOURS = { felt: "#1f5a41", rim: "#6d4a24", ink: "#fff", gold: "#ffe08a" };

/** A line that fits: smaller where it would be too wide. */
function line(pen, text, y,
  { size = 44, x = EDGE, width = WIDTH - 2 * EDGE, colour = COLOURS.ink, align = "left" } = {}) {
  const letters = (high) => `600 ${high}px ${getComputedStyle(document.body).fontFamily}`;
  pen.font = letters(size);
  pen.font = letters(Math.floor(size * Math.min(1, width / pen.measureText(text).width)));
  [pen.fillStyle, pen.textAlign] = [colour, align];
  pen.fillText(text, align === "left" ? x : x + width, y);
}

function drawn(match, title) {
  const places = match.end.ranking.flatMap((level, number, all) =>
    level.map((seat) => [all.slice(0, number).flat().length + 1, match.seats[seat]]));
  const canvas = new OffscreenCanvas(WIDTH, HEAD + places.length * ROW + FOOT);
  const pen = canvas.getContext("2d");
  pen.fillStyle = COLOURS.rim;
  pen.fillRect(0, 0, WIDTH, canvas.height);
  pen.fillStyle = COLOURS.felt;
  pen.fillRect(20, 20, WIDTH - 40, canvas.height - 40);
  const label = data.games.find((game) => game.game === match.game && game.preset === match.preset)?.label;
  line(pen, [label, match.title].filter(Boolean).join(" · "), 130, { colour: COLOURS.gold });
  line(pen, title, 260, { size: 96 });
  line(pen, say(`unit_${match.game}`), HEAD - 50, { size: 36, align: "right" });
  places.forEach(([place, { name, score }], number) => {
    const y = HEAD + 20 + number * ROW;
    const colour = place === 1 ? COLOURS.gold : COLOURS.ink;
    line(pen, `${place}. ${name}`, y, { size: 60, width: WIDTH - 2 * EDGE - 220, colour });
    line(pen, String(score), y, { size: 60, x: WIDTH - EDGE - 200, width: 200, colour, align: "right" });
  });
  const made = [document.title.split(" – ").at(-1), new Date().toLocaleDateString(data.lang)];
  line(pen, made.join(" · "), canvas.height - 60, { size: 36 });
  return canvas;
}

/** To another app where the device can; else the file is saved. */
export async function sharePicture(match, title) {
  const blob = await drawn(match, title).convertToBlob({ type: "image/png" });
  const file = new File([blob], "schiri.png", { type: blob.type });
  if (navigator.canShare?.({ files: [file] })) {
    await navigator.share({ files: [file], title }).catch(() => {}); // taken back
    return;
  }
  const save = document.createElement("a");
  save.href = URL.createObjectURL(blob);
  save.download = file.name;
  save.click();
  setTimeout(() => URL.revokeObjectURL(save.href), 10000);
}

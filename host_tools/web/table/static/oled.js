// The OLED: 128 x 64 dots, one canvas pixel each. The style sheet makes them large.

const WIDTH = 128, HEIGHT = 64;
const LIT = 0xffffe9bf, DARK = 0xff0a0805; // alpha, blue, green, red: canvas memory is little-endian

/** Paint `dot(x, y)` (true = lit) onto a canvas. */
export function paint(canvas, dot) {
  const context = canvas.getContext("2d");
  const image = context.createImageData(WIDTH, HEIGHT);
  const pixels = new Uint32Array(image.data.buffer);
  for (let at = 0; at < WIDTH * HEIGHT; at++) {
    pixels[at] = dot(at % WIDTH, Math.floor(at / WIDTH)) ? LIT : DARK;
  }
  context.putImageData(image, 0, 0);
}

/** Rows of 32 hex digits, the leftmost dot in the highest bit, as the twin tells them. */
export function fromRows(hex) {
  return (x, y) => (parseInt(hex[y * 32 + (x >> 2)], 16) >> (3 - (x & 3))) & 1;
}

// The OLED: 128 x 64 dots, one canvas pixel each. The style sheet makes them large.

const WIDTH = 128, HEIGHT = 64;
const LIT = [191, 233, 255], DARK = [5, 8, 10];

/** Paint `dot(x, y)` (true = lit) onto a canvas. */
export function paint(canvas, dot) {
  const context = canvas.getContext("2d");
  const image = context.createImageData(WIDTH, HEIGHT);
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      image.data.set([...(dot(x, y) ? LIT : DARK), 255], 4 * (y * WIDTH + x));
    }
  }
  context.putImageData(image, 0, 0);
}

/** Rows of 32 hex digits, the leftmost dot in the highest bit, as the twin tells them. */
export function fromRows(hex) {
  return (x, y) => (parseInt(hex[y * 32 + (x >> 2)], 16) >> (3 - (x & 3))) & 1;
}

/** MONO_VLSB, as a box sends it over the link: a byte is eight dots of a column. */
export function fromColumns(bytes) {
  return (x, y) => (bytes[(y >> 3) * WIDTH + x] >> (y & 7)) & 1;
}

// The buzzer through Web Audio: a square wave like the piezo's. Silent until somebody switches it on,
// because browsers want a click before a page may sound.

const LOUDEST = 0.05;
let context = null;
let tones = [];

export function isOn() {
  return context !== null;
}

export function toggle() {
  if (context) {
    context.close();
    context = null;
    tones = [];
  } else {
    context = new AudioContext();
  }
  return isOn();
}

/** A tone begins (`hz` > 0, `strength` up to 1) or the buzzer falls silent (0). */
export function sound({ hz, strength }) {
  if (!context) return;
  hush();
  // a page that hears no end does not beep for ever
  if (hz) tone(hz, context.currentTime, 2, strength);
}

function hush() {
  for (const one of tones) one.stop();
  tones = [];
}

function tone(hz, at, seconds, strength) {
  const volume = new GainNode(context, { gain: LOUDEST * strength });
  const one = new OscillatorNode(context, { type: "square", frequency: hz });
  one.connect(volume).connect(context.destination);
  one.start(at);
  one.stop(at + seconds);
  tones.push(one);
}

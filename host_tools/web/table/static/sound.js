// The buzzer through Web Audio: a square wave like the piezo's. Silent until somebody switches it on,
// because browsers want a click before a page may sound.

let context = null;
let tone = null;

export function isOn() {
  return context !== null;
}

export function toggle() {
  if (context) {
    context.close();
    context = tone = null;
  } else {
    context = new AudioContext();
  }
  return isOn();
}

/** A tone begins (`hz` > 0) or the buzzer falls silent (0). */
export function sound(hz) {
  if (!context) return;
  if (tone) tone.stop();
  tone = null;
  if (!hz) return;
  const volume = new GainNode(context, { gain: 0.05 });
  tone = new OscillatorNode(context, { type: "square", frequency: hz });
  tone.connect(volume).connect(context.destination);
  tone.start();
  tone.stop(context.currentTime + 2); // a page that hears no end does not beep for ever
}

// The knock of a stone on wood, made by the browser itself. Off unless a person turns it on.

import { pref } from "./prefs.js";

let audio = null;

export function knock() {
  if (!pref("sound")) return;
  audio ??= new AudioContext();
  const now = audio.currentTime;
  tone(now, 950, 0.05, 0.25);
  tone(now, 320, 0.09, 0.35);
}

function tone(at, frequency, length, volume) {
  const oscillator = audio.createOscillator(), gain = audio.createGain();
  oscillator.type = "triangle";
  oscillator.frequency.setValueAtTime(frequency, at);
  oscillator.frequency.exponentialRampToValueAtTime(frequency / 2, at + length);
  gain.gain.setValueAtTime(volume, at);
  gain.gain.exponentialRampToValueAtTime(0.001, at + length);
  oscillator.connect(gain).connect(audio.destination);
  oscillator.start(at);
  oscillator.stop(at + length);
}

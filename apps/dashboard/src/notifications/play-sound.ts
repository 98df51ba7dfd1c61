const TONES_HZ = [660, 880];
const TONE_SECONDS = 0.12;
const VOLUME = 0.15;

let context: AudioContext | null = null;

/**
 * Plays two short tones. A browser plays sound only in a tab that the user has clicked since it was
 * loaded; in any other tab, it is silent.
 */
export function playSound(): void {
  context ??= new AudioContext();
  void context.resume();
  const volume = context.createGain();
  volume.gain.value = VOLUME;
  volume.connect(context.destination);
  for (const [index, hertz] of TONES_HZ.entries()) {
    const tone = context.createOscillator();
    tone.frequency.value = hertz;
    tone.connect(volume);
    const start = context.currentTime + index * TONE_SECONDS;
    tone.start(start);
    tone.stop(start + TONE_SECONDS);
  }
}

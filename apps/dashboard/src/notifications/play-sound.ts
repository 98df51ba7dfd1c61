const NOTES_HZ = [660, 880];
const NOTE_SECONDS = 0.12;
const VOLUME = 0.15;

let context: AudioContext | null = null;

/**
 * Plays two short notes. A browser plays sound only in a tab that the user has clicked since it was
 * loaded; in any other tab, it is silent.
 */
export function playSound(): void {
  context ??= new AudioContext();
  void context.resume();
  const volume = context.createGain();
  volume.gain.value = VOLUME;
  volume.connect(context.destination);
  for (const [index, hertz] of NOTES_HZ.entries()) {
    const note = context.createOscillator();
    note.frequency.value = hertz;
    note.connect(volume);
    const start = context.currentTime + index * NOTE_SECONDS;
    note.start(start);
    note.stop(start + NOTE_SECONDS);
  }
}

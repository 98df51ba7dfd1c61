interface NativeKey {
  readonly key: string;
  /** The place of the key on the keyboard. */
  readonly code: string;
  readonly keyCode: number;
  readonly isComposing: boolean;
}

/** The code of a key that an input method has used. */
const USED_BY_INPUT_METHOD = 229;

/**
 * Returns the key of an event, or null if an input method uses the key, for example Enter to accept a word. Safari ends
 * the composition before it sends that Enter, and only the obsolete `keyCode` shows what the key was for.
 *
 * A key of a layout without Latin letters is the Latin one that browsers use for their own commands, by its place.
 */
export function readKey(event: NativeKey | { readonly nativeEvent: NativeKey }): string | null {
  const { isComposing, keyCode, key, code } = 'nativeEvent' in event ? event.nativeEvent : event;
  if (isComposing || keyCode === USED_BY_INPUT_METHOD) return null;
  const [, letter] = /^Key([A-Z])$/.exec(code) ?? [];
  if (letter === undefined || !/^(?!\p{sc=Latin})\p{L}$/u.test(key)) return key;
  return key === key.toLowerCase() ? letter.toLowerCase() : letter;
}

interface NativeKey {
  readonly key: string;
  readonly keyCode: number;
  readonly isComposing: boolean;
}

/** The code of a key that an input method has used. */
const USED_BY_INPUT_METHOD = 229;

/**
 * Returns the key of an event, or null if an input method uses the key, for example Enter to accept a word. Safari ends
 * the composition before it sends that Enter, and only the obsolete `keyCode` shows what the key was for.
 */
export function readKey(event: NativeKey | { readonly nativeEvent: NativeKey }): string | null {
  const { isComposing, keyCode, key } = 'nativeEvent' in event ? event.nativeEvent : event;
  return isComposing || keyCode === USED_BY_INPUT_METHOD ? null : key;
}

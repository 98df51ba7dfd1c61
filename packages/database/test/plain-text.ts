import type { ReadText } from '@switchboard/core';

/** A text that requests nothing. */
export const PLAIN_TEXT: ReadText = { keyword: null, own: null, isSuspected: false };

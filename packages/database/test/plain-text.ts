import type { ReadText } from '@switchboard/core';

/** A text that requests nothing. */
export const PLAIN_TEXT: ReadText = {
  keyword: null,
  ownWord: null,
  toOwnKeyword(keyword) {
    throw new Error(`the text is not ${keyword}`);
  },
  isSuspected: false,
};

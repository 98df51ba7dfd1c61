export { BODY_MAX_CHARACTERS, CONTACT_LIMITS } from '@switchboard/core';

export const MEDIA_URLS_MAX = 10;
/** A filter of messages has at most this many values. */
export const FILTER_VALUES_MAX = 10;
/** In UTF-16 code units. */
export const REFERENCE_MAX_CHARACTERS = 200;
export const METADATA_MAX_PAIRS = 16;
/** The names and values of all pairs together, in UTF-8. */
export const METADATA_MAX_BYTES = 2_048;
/** A message lists at most this many of its events. */
export const EVENTS_SHOWN = 500;
/** A message lists at most this many of the messages that repeat it. */
export const REPEATS_SHOWN = 20;
export const IMPORTED_CONTACTS_MAX = 200;
/** A batch has at most this many sends. */
export const BATCH_MAX_SENDS = 1_000;
/** The limit of a request that has many sends, after decompression. */
export const BATCH_MAX_MEBIBYTES = 2;

/** A search in the list of messages finds at most this many, the newest. */
export const SEARCH_MATCHES_MAX = 1_000;

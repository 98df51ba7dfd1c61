/** A search of the message list finds at most this many messages: the newest. */
export const SEARCH_MATCHES_MAX = 1_000;

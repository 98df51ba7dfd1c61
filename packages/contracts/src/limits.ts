/** The limit of most providers, in UTF-16 code units. */
export const BODY_MAX_CHARACTERS = 1_600;
export const MEDIA_URLS_MAX = 10;

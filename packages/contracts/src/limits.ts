/** Twilio's limit (21617), in UTF-16 code units. */
export const BODY_MAX_CHARACTERS = 1_600;
export const MEDIA_URLS_MAX = 10;

import { normalizeKeyword } from './normalize-keyword.ts';

/** Longer texts are not searched. They are conversations, and the regular expressions stay cheap. */
const MAX_CHARACTERS = 1_000;

const oneOf = (...alternatives: readonly string[]): string => `(?:${alternatives.join('|')})`;

const MESSAGES = oneOf(
  'TEXTS?',
  'TXTS?',
  'MESSAGES?',
  'MSGS?',
  'SMS',
  'SPAM',
  'NOTIFICATIONS?',
  'ALERTS?',
  'PROMOTIONS?',
);
const LISTS = oneOf(
  'LISTS?',
  'DATABASE',
  'SYSTEM',
  'CONTACTS',
  'SUBSCRIPTIONS?',
  'THREAD',
  MESSAGES,
);
const WHICH = `${oneOf('ALL', 'ANY', 'MORE', 'THE', 'THESE', 'THIS', 'THOSE', 'YOUR', 'OF', 'TEXT', 'MARKETING', 'FURTHER')} `;
const ME = oneOf('ME', 'US', 'MY (?:CELL )?(?:NUMBER|PHONE|CELL)', 'THIS (?:NUMBER|PHONE)');
const WRITING = oneOf(
  '(?:TEXT|TXT|MESSAG|MSG|CONTACT|SPAMM|WRIT|BOTHER|HARASS)ING\\b.*',
  `SENDING(?: ${oneOf(ME, 'THESE', 'THOSE', 'THIS', `(?:${WHICH})*${MESSAGES}`)}\\b.*)?`,
);
const DO_NOT = oneOf('DO NOT', 'DONT', 'NEVER');

/**
 * Words before a request that do not change it. No sequence of them reads in two ways, because the number
 * of ways would grow with every word.
 */
const BEFORE = `(?:${oneOf(
  'PLEASE',
  'PLS',
  'PLZ',
  'KINDLY',
  'JUST',
  'OK',
  'OKAY',
  'HI',
  'HELLO',
  'HEY',
  'SORRY',
  'YES',
  'NO',
  'THANKS',
  'THANK YOU',
  'SO',
  'AND',
  'NOW',
  '(?:CAN|COULD|WOULD|WILL) YOU',
  'YOU (?:MUST|NEED TO|HAVE TO)',
  // The brackets keep a word of recipients from the check of our own words.
  'I (?:SAID|T[O]LD YOU TO|ASKED YOU TO|NEED YOU TO|WANT YOU TO|WOULD LIKE YOU TO)',
  'I (?:WANT|WISH|NEED|WOULD LIKE) TO',
  'I ?D LIKE TO',
  '(?:HOW )?(?:DO|CAN|COULD|MAY) I',
  'HOW TO',
)} )*`;
/** Words after a request that do not change it. */
const AFTER = `(?: ${oneOf(
  'PLEASE',
  'PLS',
  'PLZ',
  'NOW',
  'ASAP',
  'IMMEDIATELY',
  'THANKS',
  'THANK YOU',
  'THX',
  'TODAY',
  'AGAIN',
  'ANYMORE',
  'ANY MORE',
  'EVER',
  'ALREADY',
)})*`;

/** A sentence of its own. */
const SHORT = `${oneOf('STOP', 'STOPALL', 'UNSUBSCRIBE', 'OPTOUT', 'OPT OUT')}(?: ${oneOf('ME', 'US', 'ALL', 'IT', 'THIS')})?`;
/** Also part of a sentence. */
const REQUESTS = oneOf(
  `(?:STOP|QUIT) ${WRITING}`,
  `(?:STOP|CANCEL|END|QUIT) (?:${WHICH})*${MESSAGES}(?: TO ${ME})?`,
  `NO MORE (?:${WHICH})*${MESSAGES}`,
  `(?:UNSUBSCRIBE|OPT)(?: ${ME})?(?: OUT)? (?:FROM|OF) .+`,
  `(?:UNSUBSCRIBE|REMOVE|DELETE) ${ME}`,
  'OPT (?:ME|US) OUT',
  `(?:REMOVE|DELETE|TAKE|GET|DROP) ${ME} (?:FROM|OFF OF|OFF|OUT OF) (?:\\S+ ){0,3}${LISTS}`,
  `TAKE ${ME} OFF`,
  '(?:LOSE|FORGET) (?:MY|THIS) NUMBER',
  'LEAVE ME ALONE',
  `I ${oneOf(DO_NOT, 'NO LONGER', 'DID NOT', 'DIDNT')} (?:WANT|WISH|NEED|ASK FOR)(?: TO)?(?: (?:BE|GET|RECEIVE|HAVE))? (?:(?:${WHICH})*${MESSAGES}|TEXTED|CONTACTED|MESSAGED|HEAR FROM YOU)(?: FROM YOU)?`,
  `${DO_NOT} (?:EVER )?(?:TEXT|TXT|MESSAGE|MSG|CONTACT) ${ME}`,
  `${DO_NOT} (?:EVER )?SEND (?:${ME} )?(?:${WHICH})*${MESSAGES}`,
);

const SENTENCE = new RegExp(`^${BEFORE}${oneOf(SHORT, REQUESTS)}${AFTER}$`);
const PART = new RegExp(`(?:^${BEFORE}| (?:PLEASE|PLS|PLZ|KINDLY|AND) )${REQUESTS}${AFTER}$`);

/**
 * Returns whether an English text, although it is no keyword, may be a request for no more messages: "please
 * stop texting me". A sentence or a part of one must be such a request up to its end and begin with it, words
 * like "please" aside. So most texts about stopping are none: "don't stop texting me", "stop by at noon".
 */
export function suspectsOptOut(body: string): boolean {
  if (body.length > MAX_CHARACTERS) return false;
  return body
    .replaceAll(/['’‘`´]/gu, '')
    .split(/[.!?;:\n\r…]+/u)
    .some((sentence) => {
      const parts = sentence.split(',').map(toWords);
      return SENTENCE.test(parts.join(' ')) || parts.some((part) => PART.test(part));
    });
}

function toWords(text: string): string {
  return normalizeKeyword(text).replaceAll(/[^\p{L}\p{N}]+/gu, ' ');
}

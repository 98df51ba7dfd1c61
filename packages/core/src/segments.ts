/** The limit of most providers, in UTF-16 code units. */
export const BODY_MAX_CHARACTERS = 1_600;

/**
 * Carriers bill a text by segments (GSM 03.38, 3GPP TS 23.038): one segment of 160 GSM-7 characters, or
 * several of 153. If one character is outside GSM-7, the limits are 70 and 67 UTF-16 code units. A
 * character of the extension table counts as two and is never split.
 */
const GSM7_BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
    '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
const GSM7_EXTENSION = new Set('\f^{}\\[~]|€');

export type Encoding = 'GSM-7' | 'UCS-2';

/** Whether a text is sent as it is, or with plain characters in place of typographic ones if it is then in GSM-7. */
export const ENCODING_CHOICES = ['as_is', 'prefer_gsm7'] as const;
export type EncodingChoice = (typeof ENCODING_CHOICES)[number];

export interface Segmentation {
  encoding: Encoding;
  segments: number;
}

/** The segments of a text while a user writes it. Units are septets or UTF-16 code units. */
export interface SegmentUse extends Segmentation {
  /** The units that are left in the last segment. */
  remaining: number;
  /** The distinct characters that increase the cost, in order of appearance. */
  costly: { character: string; cost: 'doubles' | 'forces_ucs2' }[];
}

/** Matches most texts: one segment of characters that count as one each. */
const PLAIN = /^[\n !-Z_a-z]{0,160}$/;

/** Returns the encoding and the number of segments. An empty text, as in an MMS, is one segment. */
export function countSegments(body: string): Segmentation {
  if (PLAIN.test(body)) return { encoding: 'GSM-7', segments: 1 };
  const { encoding, segments } = fillSegments([...body]);
  return { encoding, segments };
}

/**
 * Returns the result of `countSegments`, the units left in the last segment and the characters that
 * cost more.
 */
export function describeSegments(body: string): SegmentUse {
  const characters = [...body];
  const outside = characters.filter((c) => !GSM7_BASIC.has(c) && !GSM7_EXTENSION.has(c));
  const doubled = characters.filter((c) => GSM7_EXTENSION.has(c));
  return {
    ...fillSegments(characters),
    // In UCS-2, a character of the extension table costs no more than others.
    costly:
      outside.length > 0
        ? [...new Set(outside)].map((character) => ({ character, cost: 'forces_ucs2' }))
        : [...new Set(doubled)].map((character) => ({ character, cost: 'doubles' })),
  };
}

function fillSegments(characters: readonly string[]): Segmentation & { remaining: number } {
  const encoding = characters.every((c) => GSM7_BASIC.has(c) || GSM7_EXTENSION.has(c))
    ? 'GSM-7'
    : 'UCS-2';
  const widths = characters.map((c) =>
    encoding === 'UCS-2' ? c.length : GSM7_EXTENSION.has(c) ? 2 : 1,
  );
  const [single, each] = encoding === 'GSM-7' ? [160, 153] : [70, 67];
  const total = widths.reduce((sum, width) => sum + width, 0);
  if (total <= single) return { encoding, segments: 1, remaining: single - total };

  let segments = 1;
  let used = 0;
  for (const width of widths) {
    // An escape pair or a surrogate pair moves to the next segment as a whole.
    if (used + width > each) {
      segments += 1;
      used = 0;
    }
    used += width;
  }
  return { encoding, segments, remaining: each - used };
}

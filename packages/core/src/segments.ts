/**
 * How a text is cut into segments, as carriers bill it (GSM 03.38, 3GPP TS 23.038): 160 GSM-7
 * characters in one segment or 153 in each of several; 70 or 67 UTF-16 code units as soon as one
 * character lies outside GSM-7. A character of the extension table costs two and is never split.
 */
const GSM7_BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
    '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
const GSM7_EXTENSION = new Set('\f^{}\\[~]|€');

export type Encoding = 'GSM-7' | 'UCS-2';

export interface Segmentation {
  encoding: Encoding;
  segments: number;
}

/** What a writer wants to know while the text grows. Units are septets or UTF-16 code units. */
export interface SegmentUse extends Segmentation {
  /** What the last segment still takes before another one is begun. */
  remaining: number;
  /** The different characters that make the text dearer, in their order of appearance. */
  costly: { character: string; cost: 'doubles' | 'forces_ucs2' }[];
}

/** Nearly every text: in one segment of characters that count one each. */
const PLAIN = /^[\n !-Z_a-z]{0,160}$/;

/** The encoding and number of segments of a text; an empty text (MMS without words) is one. */
export function countSegments(body: string): Segmentation {
  if (PLAIN.test(body)) return { encoding: 'GSM-7', segments: 1 };
  const { encoding, segments } = fillSegments([...body]);
  return { encoding, segments };
}

/** As `countSegments`, with what is left of the last segment and which characters cost more. */
export function describeSegments(body: string): SegmentUse {
  const characters = [...body];
  const outside = characters.filter((c) => !GSM7_BASIC.has(c) && !GSM7_EXTENSION.has(c));
  const doubled = characters.filter((c) => GSM7_EXTENSION.has(c));
  return {
    ...fillSegments(characters),
    // Once the text is UCS-2, a character of the extension table costs no more than others.
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

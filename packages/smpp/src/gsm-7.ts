import { LOCKING_SHIFT_TABLES, SINGLE_SHIFT_TABLES } from './national-tables.ts';

/** The tables that a user data header selects. 0 is the default alphabet and its extension table. */
export interface Languages {
  locking: number;
  single: number;
}

/** The characters of a table by their septets. */
type Table = Readonly<Record<number, string | undefined>>;

/** GSM 03.38 without packing: one septet in each byte, as in SMPP. The table has 128 characters. */
const ESCAPE = 0x1b;
const BASIC = (
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\x1bÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà'
).split('');
const EXTENSION: Record<number, string> = {
  0x0a: '\f',
  0x14: '^',
  0x28: '{',
  0x29: '}',
  0x2f: '\\',
  0x3c: '[',
  0x3d: '~',
  0x3e: ']',
  0x40: '|',
  0x65: '€',
};

const SEPTETS = new Map<string, readonly number[]>([
  ...BASIC.map((character, code) => [character, [code]] as const),
  ...Object.entries(EXTENSION).map(([code, character]) => [character, [ESCAPE, +code]] as const),
]);
SEPTETS.delete('\x1b');

const LOCKING = parseTables(LOCKING_SHIFT_TABLES);
const SINGLE = parseTables(SINGLE_SHIFT_TABLES);

/** Returns the septets of a character: one, two from the extension table, or null outside GSM-7. */
export function toSeptets(character: string): readonly number[] | null {
  return SEPTETS.get(character) ?? null;
}

/**
 * Decodes the parts of a text. An escape at the end of a part belongs to the next part. A septet without a
 * character in the single shift table is shown as in the main table, and a second escape as a space
 * (3GPP TS 23.038, section 6.2.1.1).
 */
export function decodeGsm7(parts: readonly ({ bytes: Buffer } & Languages)[]): string {
  let text = '';
  let isEscaped = false;
  for (const { bytes, locking, single } of parts) {
    const main = LOCKING.get(locking) ?? BASIC;
    const shifted = SINGLE.get(single) ?? EXTENSION;
    for (const byte of bytes) {
      const septet = byte & 0x7f;
      if (septet === ESCAPE && !isEscaped) {
        isEscaped = true;
        continue;
      }
      const character = isEscaped ? (shifted[septet] ?? main[septet]) : main[septet];
      text += septet === ESCAPE ? ' ' : (character ?? ' ');
      isEscaped = false;
    }
  }
  return text;
}

function parseTables(tables: Readonly<Record<number, string>>): ReadonlyMap<number, Table> {
  return new Map(
    Object.entries(tables).map(([language, rows]) => [
      +language,
      rows.trim().split(/\s+/).map(parse),
    ]),
  );
}

function parse(hex: string): string | undefined {
  return hex === '----' ? undefined : String.fromCharCode(Number.parseInt(hex, 16));
}

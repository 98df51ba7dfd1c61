interface CarrierText {
  body: string;
  /** How many short messages it takes: 160 or 153 septets of TS 23.038, 70 or 67 units of UCS-2. */
  parts: number;
}

const GREEK_CAPITALS = 'ΔΦΓΛΩΠΨΣΘΞ';

/** The lengths at which a text takes one more part, and characters that must not be cut in two. */
const BOUNDARIES: CarrierText[] = [
  { body: 'a'.repeat(160), parts: 1 },
  { body: 'a'.repeat(161), parts: 2 },
  { body: 'b'.repeat(306), parts: 2 },
  { body: 'b'.repeat(307), parts: 3 },
  { body: `${'c'.repeat(158)}€`, parts: 1 },
  { body: `${'c'.repeat(159)}€`, parts: 2 },
  { body: '{'.repeat(80), parts: 1 },
  { body: '{'.repeat(81), parts: 2 },
  { body: '€'.repeat(153), parts: 3 },
  { body: `${'d'.repeat(152)}€${'d'.repeat(10)}`, parts: 2 },
  { body: '@'.repeat(160), parts: 1 },
  { body: '@'.repeat(161), parts: 2 },
  { body: '£'.repeat(160), parts: 1 },
  { body: GREEK_CAPITALS.repeat(16), parts: 1 },
  { body: `${GREEK_CAPITALS.repeat(16)}Δ`, parts: 2 },
  { body: 'я'.repeat(70), parts: 1 },
  { body: 'я'.repeat(71), parts: 2 },
  { body: 'ω'.repeat(134), parts: 2 },
  { body: 'ω'.repeat(135), parts: 3 },
  { body: `${'й'.repeat(68)}😀`, parts: 1 },
  { body: `${'й'.repeat(69)}😀`, parts: 2 },
  { body: `${'й'.repeat(66)}😀${'й'.repeat(5)}`, parts: 2 },
  { body: '😀'.repeat(35), parts: 1 },
  { body: '😀'.repeat(36), parts: 2 },
];

const SHORT = [
  'Your code is 123456',
  ' ',
  '   ',
  '.',
  '0',
  '@',
  '@@',
  '£',
  'ends with @',
  '@ starts with it',
  '\n',
  '\r\n',
  'ends with a line break\n',
  'ends with a carriage return\r',
  'first line\nsecond line\r\n  third ',
  '\ttabs\tare not in GSM-7',
  'form\ffeed',
  'no\u00a0break',
  'Größe 1? ¿Qué? @£$¥ èéùìòÇ Øø Åå ÆæßÉ ÄÖÑÜ§ äöñüà ¤¡',
  'Costs 5€ [or {less}] ~ ^ | \\',
  '^{}\\[~]|€',
  GREEK_CAPITALS,
  'Καλημέρα κόσμε',
  'Привет, заказ',
  'ça va',
  '`quoted`',
  '“quotes” – and … dots',
  'שלום',
  'مرحبا',
  '你好，世界',
  'Ready 🎉',
  '👩‍👩‍👧 🇬🇷 👍🏽',
  'e\u0301 combined',
].map((body) => ({ body, parts: 1 }));

const LONG: CarrierText[] = [
  // 36 septets.
  { body: 'A long text in GSM-7, with é and à. '.repeat(12), parts: 3 },
  { body: 'Длинный текст 😀 '.repeat(20), parts: 6 },
  { body: '😀'.repeat(200), parts: 7 },
  { body: 'x'.repeat(1_600), parts: 11 },
];

/** Texts of every alphabet, length and kind that a carrier distinguishes. */
export const CARRIER_TEXTS: readonly CarrierText[] = [...BOUNDARIES, ...SHORT, ...LONG];

/** The encodings that a person can choose, in the order in which they win a tie of the detection. */
export const ENCODINGS = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1252',
  'macintosh',
  'windows-1250',
  'iso-8859-2',
  'windows-1251',
  'koi8-r',
  'ibm866',
  'x-mac-cyrillic',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'windows-1257',
  'windows-1258',
  'windows-874',
  'shift_jis',
  'euc-jp',
  'iso-2022-jp',
  'euc-kr',
  'gb18030',
  'big5',
] as const;

export type Encoding = (typeof ENCODINGS)[number];

/** Decodes a file. A byte order mark is removed; bytes that the encoding does not have become U+FFFD. */
export const decode = (bytes: Uint8Array<ArrayBuffer>, encoding: Encoding): string =>
  new TextDecoder(encoding).decode(bytes);

/** The letters beyond ASCII of the languages that a single-byte encoding serves. */
const WESTERN = [
  'äöüß',
  'àâæçèéêëîïôœùûüÿ',
  'áéíñóúü',
  'àáâãçéêíóôõúü',
  'àèéìíòóùú',
  'åäöæøéü',
  'áæðéíóöþúý',
  'äëïéèöüó',
  'ºª',
];
const CENTRAL = [
  'ąćęłńóśźż',
  'áčďéěíňóřšťúůýž',
  'áäčďéíĺľňóôŕšťúýž',
  'áéíóöőúüű',
  'ăâîşţșț',
  'čćđšž',
  'äöüß',
];
const CYRILLIC = ['абвгдежзийклмнопрстуфхцчшщъыьэюяёіїєґўђјљњћџ'];
const GREEK = ['αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰ'];

/**
 * The alphabets of each single-byte encoding. A text is probably in the encoding in which one alphabet has
 * almost all of its letters. The first one wins a tie.
 */
export const ALPHABETS: Partial<Record<Encoding, readonly string[]>> = {
  'windows-1252': WESTERN,
  macintosh: WESTERN,
  'windows-1250': CENTRAL,
  'iso-8859-2': CENTRAL,
  'windows-1255': ['אבגדהוזחטיךכלםמןנסעףפץצקרשת'],
  'windows-1251': CYRILLIC,
  'koi8-r': CYRILLIC,
  ibm866: CYRILLIC,
  'windows-1253': GREEK,
  'windows-1254': ['çğıîöşüâûi\u0307'],
  'windows-1256': ['ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىيپچژگک'],
  'windows-1257': ['ąčęėįšųūž', 'āčēģīķļņšūž', 'äöõüšž'],
  'windows-874': [
    'กขฃคฅฆงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรลวศษสหฬอฮะาำเแโใไๅๆฯ\u0E31\u0E34\u0E35\u0E36\u0E37\u0E38\u0E39\u0E47\u0E48\u0E49\u0E4A\u0E4B\u0E4C\u0E4D',
  ],
};

type Range = readonly [first: number, last: number];

/**
 * The first bytes of the frequent characters of each double-byte encoding, whose standards sort characters by
 * frequency: kana and the first level of kanji, the frequent hanzi, the Hangul syllables.
 */
export const FREQUENT: Partial<
  Record<Encoding, { first: readonly Range[]; second: Range; single?: Range }>
> = {
  shift_jis: {
    first: [
      [0x82, 0x83],
      [0x88, 0x97],
    ],
    second: [0x40, 0xfc],
    // Half-width katakana.
    single: [0xa1, 0xdf],
  },
  'euc-kr': { first: [[0xb0, 0xc8]], second: [0xa1, 0xfe] },
  gb18030: { first: [[0xb0, 0xd7]], second: [0xa1, 0xfe] },
  'euc-jp': {
    first: [
      [0xa4, 0xa5],
      [0xb0, 0xcf],
    ],
    second: [0xa1, 0xfe],
  },
  big5: { first: [[0xa4, 0xc6]], second: [0x40, 0xfe] },
};

/** The encodings of a language win a near tie. */
export const OF_LANGUAGE: Readonly<Record<string, readonly Encoding[]>> = {
  pl: ['windows-1250', 'iso-8859-2'],
  cs: ['windows-1250', 'iso-8859-2'],
  sk: ['windows-1250', 'iso-8859-2'],
  hu: ['windows-1250', 'iso-8859-2'],
  ro: ['windows-1250', 'iso-8859-2'],
  hr: ['windows-1250', 'iso-8859-2'],
  sl: ['windows-1250', 'iso-8859-2'],
  ru: ['windows-1251'],
  uk: ['windows-1251'],
  bg: ['windows-1251'],
  sr: ['windows-1251'],
  el: ['windows-1253'],
  tr: ['windows-1254'],
  he: ['windows-1255'],
  ar: ['windows-1256'],
  fa: ['windows-1256'],
  lt: ['windows-1257'],
  lv: ['windows-1257'],
  et: ['windows-1257'],
  th: ['windows-874'],
  ja: ['shift_jis', 'euc-jp'],
  ko: ['euc-kr'],
  zh: ['gb18030', 'big5'],
};

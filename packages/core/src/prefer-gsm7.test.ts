import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeGsm7Change, preferGsm7 } from './prefer-gsm7.ts';
import { BODY_MAX_CHARACTERS, countSegments } from './segments.ts';

const oneOf = (characters: string) => fc.constantFrom(...Array.from(characters));

/** Texts in which each of these occurs often: plain text, typography, letters of other alphabets, emoji. */
const text = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.string({ unit: 'grapheme-ascii', maxLength: 30 }) },
      { weight: 4, arbitrary: oneOf('‘’“”«»–—…‥\u00A0\u2009\u200B！％（３～＂´‹›\u037E') },
      { weight: 2, arbitrary: fc.oneof(oneOf('éßÑΩ€\n'), fc.constantFrom('e\u0301', 'A\u030A')) },
      { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 3 }) },
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(''));

const lettersOf = (given: string): string => given.normalize('NFC').replace(/[^\p{L}\p{N}]/gu, '');
/** Full-width digits are the digits. */
const withDigits = (given: string): string =>
  given.replace(/[０-９]/gu, (digit) => digit.normalize('NFKC'));

describe('the preference for GSM-7', () => {
  test('a replaced text is in GSM-7, has no more segments, keeps its letters and digits, and is not replaced again', () => {
    let replaced = 0;
    fc.assert(
      fc.property(text, (given) => {
        const sent = preferGsm7(given);
        expect(preferGsm7(sent)).toBe(sent);
        if (sent === given) return;
        replaced += 1;
        const before = countSegments(given);
        const after = countSegments(sent);
        expect(before.encoding).toBe('UCS-2');
        expect(after.encoding).toBe('GSM-7');
        expect(after.segments).toBeLessThanOrEqual(before.segments);
        expect(lettersOf(sent)).toBe(withDigits(lettersOf(given)));
      }),
      { numRuns: 2_000 },
    );
    // The texts are such that the property says something.
    expect(replaced).toBeGreaterThan(200);
  });

  test('a text with a character that has no plain form is sent as it is', () => {
    fc.assert(
      fc.property(
        text,
        fc.constantFrom('😀', 'ł', 'ç', 'я', '中', '❤️', '•', '™'),
        (given, other) => {
          const whole = `${given}${other}`;
          expect(preferGsm7(whole)).toBe(whole);
        },
      ),
    );
  });

  test('a text that is in GSM-7 already is sent as it is', () => {
    const plain = fc
      .array(
        oneOf(
          '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./09:;<=>?¡AZÄÖÑÜ§¿azäöñüà^{}\\[~]|€',
        ),
      )
      .map((all) => all.join(''));
    fc.assert(
      fc.property(plain, (given) => {
        expect(preferGsm7(given)).toBe(given);
      }),
    );
  });

  test('a text that would need more segments is sent as it is', () => {
    expect(preferGsm7('…'.repeat(53))).toBe('...'.repeat(53));
    expect(preferGsm7('…'.repeat(70))).toBe('…'.repeat(70));
  });

  test('a text that would be too long for a provider is sent as it is', () => {
    const fits = `${'x'.repeat(BODY_MAX_CHARACTERS - 3)}…`;
    expect(preferGsm7(fits)).toBe(`${'x'.repeat(BODY_MAX_CHARACTERS - 3)}...`);
    const tooLong = `${'x'.repeat(BODY_MAX_CHARACTERS - 1)}…`;
    expect(preferGsm7(tooLong)).toBe(tooLong);
  });

  test.each([
    'https://en.example/wiki/Paris–Nice',
    'Read “https://en.example/a–b”',
    'shop.example/l’été',
    'www.shop.example?q=“x”&y=1',
    'shop.example–now.example',
    'HTTPS://shop.example/cafe\u0301/1',
    'https://shop.example/50％25 – now',
  ])('a text with a typographic character inside a link is sent as it is: %s', (given) => {
    expect(preferGsm7(given)).toBe(given);
  });

  test.each([
    ['“https://shop.example/a”…', '"https://shop.example/a"...'],
    ['shop.example/a – “now”', 'shop.example/a - "now"'],
    ['https://shop.example/a\u00A0– 5', 'https://shop.example/a - 5'],
    ['Thanks.We’re open', "Thanks.We're open"],
    ['9.30–10.30', '9.30-10.30'],
  ])('what surrounds a link, or is none, is replaced: %s', (given, sent) => {
    expect(preferGsm7(given)).toBe(sent);
  });

  test.each(['pass: a`b', '21⁄2 cups'])(
    'what means something of its own is not replaced: %s',
    (given) => {
      expect(preferGsm7(given)).toBe(given);
    },
  );

  test.each([
    ['5 \u2126', '5 Ω'],
    ['0 \u212A', '0 K'],
    ['10 \u212B', '10 Å'],
    ['Ti\u037E', 'Ti;'],
  ])(
    'a character that Unicode defines as equal to one in GSM-7 becomes this one: %s',
    (given, sent) => {
      expect(preferGsm7(given)).toBe(sent);
      expect(preferGsm7(`${given} –`)).toBe(`${sent} -`);
    },
  );

  test('a long run of combining marks, which takes quadratic time to normalize, costs no more than accents do', () => {
    const costOf = (given: string): number => {
      // The least of several runs is what the work costs.
      const runs = Array.from({ length: 5 }, () => {
        const start = process.cpuUsage();
        for (let n = 0; n < 100; n += 1) preferGsm7(given);
        const { user, system } = process.cpuUsage(start);
        return user + system;
      });
      return Math.min(...runs);
    };
    const marks = costOf('\u0301'.repeat(800) + '\u0334'.repeat(799));
    expect(marks).toBeLessThan(2 * costOf('e\u0301'.repeat(800)));
  });

  // What users of comparable products reported or documented.
  test.each([
    ['the French apostrophe (mozilla/fxa#5207)', 'N’oubliez pas l’été', "N'oubliez pas l'été"],
    ['a no-break space (nyaruka/rapidpro#1024)', '10\u00A0% de rabais', '10 % de rabais'],
    ['a narrow no-break space (alphagov/notifications-utils#514)', '1\u202F000 €', '1 000 €'],
    [
      'quotes and dashes from Word (smartchicago/kimball#130)',
      '“Yes” — we’re open',
      `"Yes" - we're open`,
    ],
    ['a tab (nyaruka/courier#195)', 'Mon\t9–5', 'Mon 9-5'],
    [
      'an invisible character (TwilioDevEd/message-segment-calculator#49)',
      'Mit besten Grüßen\u200C',
      'Mit besten Grüßen',
    ],
    [
      'low quotes and the double low line (TwilioDevEd/message-segment-calculator#41)',
      '„a‟ ‚b‛ ‗',
      `"a" 'b' _`,
    ],
    ['a line separator', 'one\u2028two', 'one\ntwo'],
    [
      'a number that was copied from contacts',
      'Call \u202A+1 415 555 0100\u202C',
      'Call +1 415 555 0100',
    ],
    ['decomposed accents', 'Cafe\u0301 ouvert', 'Café ouvert'],
    ['full-width forms', 'ＯＫ！', 'ＯＫ！'],
    ['full-width punctuation and digits', '５０％ off！（today）', '50% off!(today)'],
    ['small forms', 'a﹐b﹔ 50﹪', 'a,b; 50%'],
    ['guillemets and the ellipsis', '«Bientôt…»', '«Bientôt…»'],
    ['guillemets of a text in GSM-7', '«Merci…»', '"Merci..."'],
    ['an emoji, whose text keeps its quotes (SparkDevNetwork/Rock#6505)', '“Hi” 😀', '“Hi” 😀'],
    ['letters of other alphabets (signalapp/Signal-Android#1864)', 'Привет – ты…', 'Привет – ты…'],
    ['an accent outside GSM-7 (tbar0970/jethro-pmm#1460)', 'Łódź – tak', 'Łódź – tak'],
    ['joined emoji', '👩‍👧 “hi”', '👩‍👧 “hi”'],
    ['a right-to-left text', '\u200Fשלום – “ok”', '\u200Fשלום – “ok”'],
  ])('%s', (_, given, sent) => {
    expect(preferGsm7(given)).toBe(sent);
  });

  test('the change of a text says what is replaced and what that saves', () => {
    const given = `${'x'.repeat(100)} – “yes”… – no`;
    expect(describeGsm7Change(given)).toEqual({
      text: `${'x'.repeat(100)} - "yes"... - no`,
      replaced: [
        { character: '–', by: '-' },
        { character: '“', by: '"' },
        { character: '”', by: '"' },
        { character: '…', by: '...' },
      ],
      segmentsSaved: 1,
    });
    expect(describeGsm7Change('Cafe\u0301 \u2126')).toEqual({
      text: 'Café Ω',
      replaced: [
        { character: 'e\u0301', by: 'é' },
        { character: '\u2126', by: 'Ω' },
      ],
      segmentsSaved: 0,
    });
    expect(describeGsm7Change('plain')).toBeNull();
    expect(describeGsm7Change('“Hi” 😀')).toBeNull();
  });
});

/** Scripts in which domains are registered, each alone in a host. */
const ALONE =
  'Arabic Armenian Bengali Cyrillic Devanagari Ethiopic Georgian Greek Gujarati Gurmukhi Hebrew Kannada Khmer Lao Latin Malayalam Myanmar Oriya Sinhala Tamil Telugu Thai Tibetan';
/** Scripts that people write together and do not confuse: the level “highly restrictive” of Unicode's UTS #39. */
const TOGETHER = ['Latin Han Hiragana Katakana', 'Latin Han Bopomofo', 'Latin Han Hangul'];
/** Latin letters of phonetics, which no language's domains have, and which look like others: `ɡ`, `ɑ`. */
const PHONETIC = /[\u0250-\u02af\u1d00-\u1dbf\u2c60-\u2c7f\ua720-\ua7ff\uab30-\uab6f]/u;

const READABLE = [...ALONE.split(' '), ...TOGETHER].map((scripts) => {
  const letters = scripts.split(' ').map((script) => `\\p{Script_Extensions=${script}}`);
  return new RegExp(`^[${letters.join('')}\\d.-]+$`, 'u');
});

/**
 * Returns a host as it was written if it cannot be taken for another one, else as the browser requests it: in punycode, or as
 * the address that a number stands for. A host in Cyrillic letters under `.com` is in mixed scripts.
 *
 * @param hostname of the parsed URL.
 */
export function toSafeHost(written: string, hostname: string): string {
  const host = written.toLowerCase();
  if (host === hostname) return written;
  const isReadable =
    host.normalize('NFKC') === host.normalize('NFC') &&
    hostname.includes('xn--') &&
    !PHONETIC.test(host) &&
    READABLE.some((pattern) => pattern.test(host.normalize('NFC')));
  return isReadable ? written : hostname;
}

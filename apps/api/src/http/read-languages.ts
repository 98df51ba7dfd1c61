/** A browser sends a few. */
const LANGUAGES_MAX = 10;

/** Reads the languages of an `Accept-Language` header (RFC 9110), the preferred one first. */
export function readLanguages(header: string | undefined): string[] {
  return (header ?? '')
    .split(',', LANGUAGES_MAX)
    .map((part) => {
      const [tag = '', ...parameters] = part.split(';').map((each) => each.trim());
      const quality = parameters.find((each) => each.startsWith('q='));
      return { tag, quality: quality === undefined ? 1 : Number(quality.slice(2)) };
    })
    .filter(({ tag, quality }) => tag !== '' && tag !== '*' && quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
    .map(({ tag }) => tag);
}

const ADDRESS = /\bhttps?:\/\/[^\s<>"“”]+/giu;
/** Punctuation after an address belongs to the sentence. */
const AFTER_ADDRESS = /[.,;:!?'’)\]}]+$/u;

/** Splits a text into links and other parts. Joined, they are the original text. */
export function splitLinks(text: string): { text: string; href: string | null }[] {
  const parts: { text: string; href: string | null }[] = [];
  let end = 0;
  for (const match of text.matchAll(ADDRESS)) {
    const address = match[0].replace(AFTER_ADDRESS, '');
    if (!URL.canParse(address)) continue;
    if (match.index > end) parts.push({ text: text.slice(end, match.index), href: null });
    parts.push({ text: address, href: address });
    end = match.index + address.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), href: null });
  return parts;
}

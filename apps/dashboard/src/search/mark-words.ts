import { readWords, toWordPattern } from '@switchboard/contracts';

/** A part of a text, and whether it matches the search. */
export interface MarkedPart {
  text: string;
  isFound: boolean;
}

/** Text before the first match is shortened to this length. */
const LEAD_CHARACTERS = 40;

/** Splits a text into parts for display, with what a search matches. */
export function markWords(text: string, search: string): MarkedPart[] {
  const words = readWords(search).map((word) => toWordPattern(word, 'javascript'));
  if (words.length === 0) return [{ text, isFound: false }];
  const pattern = new RegExp(words.join('|'), 'gu');
  const parts: MarkedPart[] = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    if (match.index > end) parts.push({ text: text.slice(end, match.index), isFound: false });
    parts.push({ text: match[0], isFound: true });
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), isFound: false });
  return shortenLead(parts);
}

function shortenLead(parts: MarkedPart[]): MarkedPart[] {
  const [first, ...others] = parts;
  if (first === undefined || first.isFound || others.length === 0) return parts;
  if (first.text.length <= LEAD_CHARACTERS) return parts;
  const lead = first.text.slice(-LEAD_CHARACTERS).replace(/^\S*\s/, '');
  return [{ text: `…${lead}`, isFound: false }, ...others];
}

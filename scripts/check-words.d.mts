/** Returns `line: “word”: use …` for each forbidden word of a text. */
export function findForbiddenWords(text: string): string[];

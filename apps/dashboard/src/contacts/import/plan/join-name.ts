/** Scripts whose names begin with the family name. */
const FAMILY_NAME_FIRST =
  /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\sー・]+$/u;

/** Joins the parts of a name in the order of its script: Ada Lovelace, 山田 太郎. */
export function joinName(first: readonly string[], last: readonly string[]): string {
  const isFamilyFirst = [...first, ...last].every((part) => FAMILY_NAME_FIRST.test(part));
  return (isFamilyFirst ? [...last, ...first] : [...first, ...last]).join(' ');
}

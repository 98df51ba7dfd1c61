const rules = new Intl.PluralRules('en');

/** Chooses the text for a number by the plural rules of English. Each language has its own forms. */
export function plural<Text>(count: number, forms: { one: Text; other: Text }): Text {
  return rules.select(count) === 'one' ? forms.one : forms.other;
}

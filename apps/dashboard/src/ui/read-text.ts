/** Returns the trimmed text of a form field. */
export function readText(form: HTMLFormElement, name: string): string {
  return readRawText(new FormData(form), name).trim();
}

/** Returns the text of a form field as entered. Whitespace is part of a password. */
export function readRawText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}

/** Text that is already HTML. */
export interface Html {
  readonly html: string;
}

type Part = string | number | Html | readonly Html[];

/** Builds HTML; every inserted text is escaped unless it is HTML itself. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const text = strings.reduce((sum, string, at) => {
    const part = parts[at - 1] ?? '';
    return sum + toText(part) + string;
  });
  return { html: text };
}

function toText(part: Part): string {
  if (typeof part === 'object') {
    return 'html' in part ? part.html : part.map((entry) => entry.html).join('');
  }
  return String(part)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

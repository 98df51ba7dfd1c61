/** Text that is HTML already. */
export interface Html {
  readonly html: string;
}

type Part = string | number | Html | readonly Html[];

/** Puts a page together; every text that is put in is escaped, unless it is HTML itself. */
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

/** Prose with `code` and blank lines between paragraphs. */
export function prose(text: string): Html {
  const paragraphs = text.split(/\n\n+/).map((paragraph) => html`<p>${inline(paragraph)}</p>`);
  return html`${paragraphs}`;
}

export function inline(text: string): Html {
  const parts = text
    .split('`')
    .map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
  return html`${parts}`;
}

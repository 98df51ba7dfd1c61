/** What a template may contain, as `{{name}}`. */
export const PLACEHOLDERS = ['to', 'from', 'body', 'id', 'status_url'] as const;

export type Placeholder = (typeof PLACEHOLDERS)[number];

/** The values of one message. */
export type TemplateValues = Readonly<Record<Placeholder, string>>;

const ANY = /\{\{([^{}]*)\}\}/g;

/** Lists all names between double braces, known or unknown. */
export function listPlaceholders(template: string): string[] {
  return [...template.matchAll(ANY)].map(([, name = '']) => name);
}

export function isPlaceholder(name: string): name is Placeholder {
  return (PLACEHOLDERS as readonly string[]).includes(name);
}

/** Replaces each placeholder with its value, escaped by `escape` for its position. */
export function render(
  template: string,
  values: TemplateValues,
  escape: (value: string) => string,
): string {
  return template.replaceAll(ANY, (_all, name: string) =>
    isPlaceholder(name) ? escape(values[name]) : '',
  );
}

/** Replaces placeholders with a letter, so that the rest can be parsed. */
export function withoutPlaceholders(template: string): string {
  return template.replaceAll(ANY, 'x');
}

/** Escapes a value for a path or a query. */
export function escapeUrl(value: string): string {
  return encodeURIComponent(value.toWellFormed());
}

/** Escapes a value for a JSON string. */
function escapeJson(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}

/**
 * Escapes a value for a header. Control characters would start another header, and Node writes only
 * Latin-1.
 */
export function escapeHeader(value: string): string {
  return value.toWellFormed().replaceAll(/[^\x20-\x7e]/gu, encodeURIComponent);
}

export type BodyType = 'json' | 'form' | 'text';

const ESCAPES: Readonly<Record<BodyType, (value: string) => string>> = {
  json: escapeJson,
  form: (value) => new URLSearchParams({ '': value.toWellFormed() }).toString().slice(1),
  text: (value) => value,
};

/** Returns the type of a body by the media type of its request; null for any other media type. */
export function readBodyType(contentType: string): BodyType | null {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  if (/^application\/([\w.-]+\+)?json$/.test(type)) return 'json';
  if (type === 'application/x-www-form-urlencoded') return 'form';
  return type === 'text/plain' ? 'text' : null;
}

export function renderBody(template: string, values: TemplateValues, type: BodyType): string {
  return render(template, values, ESCAPES[type]);
}

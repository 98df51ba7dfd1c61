import { parseJson } from './parse-json.ts';

/** A JSON object whose fields are not checked yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Parses a JSON object. Returns an empty one for any other text, such as the page of a proxy. */
export function parseObject(text: string | null): JsonObject {
  if (text === null) return {};
  try {
    return toObject(parseJson(text));
  } catch {
    // Not JSON: a response from an intermediary, which has none of the provider's fields.
    return {};
  }
}

/** Returns the value if it is an object, otherwise an empty one. */
export function toObject(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

/** Returns the value if it is a list, otherwise an empty one. */
export function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

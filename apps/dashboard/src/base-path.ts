interface Page {
  querySelector(selector: string): { content: string } | null;
}

/** Unit tests have no page. */
const page = Reflect.get(globalThis, 'document') as Page | undefined;

/**
 * The path below which the service is reached, for example `/sms`; empty if there is none. The API writes it
 * into the page, from PUBLIC_URL.
 */
export const BASE_PATH = page?.querySelector('meta[name=base-path]')?.content ?? '';

/** Returns the name under which the browser stores something: services at other paths share its storage. */
export const storageKey = (name: string): string =>
  BASE_PATH === '' ? name : `${name}@${BASE_PATH}`;

export const ICON_URL = `${BASE_PATH}/icon.svg`;

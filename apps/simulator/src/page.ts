import { textOf, type Form } from './form.ts';

/** A page of a list, numbered from 0 as at Twilio. It has 50 entries by default and 1,000 at most. */
export interface PageRequest {
  page: number;
  size: number;
  /** The SID of the last entry of the previous page, or null without a page token. */
  after: string | null;
}

export function parsePage(query: Form): PageRequest {
  const size = Number.parseInt(textOf(query, 'PageSize'), 10);
  const page = Number.parseInt(textOf(query, 'Page'), 10);
  const token = textOf(query, 'PageToken');
  return {
    page: page > 0 ? page : 0,
    size: size > 0 ? Math.min(size, 1000) : 50,
    after: token.startsWith('PA') ? token.slice(2) : null,
  };
}

/**
 * Returns the paging fields of a list. `nextSid` is the SID of the last entry if more follow. It
 * becomes the page token, so that new entries do not shift the next page.
 */
export function formatPage(path: string, query: Form, entries: number, nextSid: string | null) {
  const { page, size } = parsePage(query);
  const uri = (number: number, token: string | null): string => {
    const params = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) {
      if (name === 'Page' || name === 'PageToken' || name === 'PageSize') continue;
      for (const text of [value ?? []].flat()) params.append(name, text);
    }
    params.set('PageSize', String(size));
    params.set('Page', String(number));
    if (token !== null) params.set('PageToken', token);
    return `${path}?${params.toString()}`;
  };
  const token = textOf(query, 'PageToken') || null;
  return {
    first_page_uri: uri(0, null),
    next_page_uri: nextSid === null ? null : uri(page + 1, `PA${nextSid}`),
    previous_page_uri: page > 0 ? uri(page - 1, null) : null,
    uri: uri(page, token),
    page,
    page_size: size,
    start: entries === 0 ? 0 : page * size,
    end: entries === 0 ? 0 : page * size + entries - 1,
  };
}

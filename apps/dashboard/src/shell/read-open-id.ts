/**
 * Returns the id of the open message, or the number of the open conversation, from the address: it may
 * be opening and not rendered yet.
 */
export function readOpenId(view: 'messages' | 'conversations'): string | undefined {
  const [, found, id] = /\/(messages|conversations)\/([^/]+)$/.exec(window.location.pathname) ?? [];
  return found === view && id !== undefined ? decodeURIComponent(id) : undefined;
}

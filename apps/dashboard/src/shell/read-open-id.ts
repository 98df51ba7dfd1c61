/**
 * Returns the id of the open message, or the number of the open conversation, from the address,
 * because the view may not have rendered it yet.
 */
export function readOpenId(view: 'messages' | 'conversations'): string | undefined {
  const [, found, id] = /\/(messages|conversations)\/([^/]+)$/.exec(window.location.pathname) ?? [];
  return found === view && id !== undefined ? decodeURIComponent(id) : undefined;
}

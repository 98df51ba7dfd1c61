import { storageKey } from '../base-path.ts';

/**
 * The key of the token, in the storage of the tab, or in that of the browser if the user stays signed
 * in. docs/decisions/session-token.md explains why.
 */
const KEY = storageKey('switchboard.session');
/** How long a new tab shows nothing while it waits for the token of another tab of the same browser. */
const HANDOVER_MS = 150;

type Handover =
  | { type: 'token-request' }
  /** A response to a request, or the token of a session that has just begun. */
  | { type: 'token'; token: string }
  | { type: 'signed-out' };

/**
 * A session begins in this tab, or is adopted from another tab. It ends when the server refuses its token, or
 * because the user signs out, in this tab or in another one.
 */
export type SessionChange = 'begun' | 'adopted' | 'ended' | 'signed-out';

export interface SessionStore {
  /** Returns the session token, or null when no user is signed in. */
  read(): string | null;
  /** With `stays`, the session outlives the tabs of this browser. Tabs that are signed out adopt it. */
  begin(token: string, options: { stays: boolean }): void;
  /** Removes the token from this tab, and from the browser if it is stored there. */
  end(): void;
  /** Signs the user out: removes the token from every tab. */
  endEverywhere(): void;
  /** Copies the session of another open tab, if there is one. A tab that responds later signs this one in then. */
  adopt(): Promise<void>;
  subscribe(listener: (change: SessionChange) => void): () => void;
}

export function createSessionStore(
  ofTab: Storage = sessionStorage,
  ofBrowser: Storage = localStorage,
  channel = new BroadcastChannel(KEY),
): SessionStore {
  let token = ofTab.getItem(KEY) ?? ofBrowser.getItem(KEY);
  const listeners = new Set<(change: SessionChange) => void>();
  let onToken: ((token: string) => void) | null = null;

  function change(kind: SessionChange, next: string | null, storage = ofTab): void {
    // A sign-out also concerns a tab whose session has ended before: it may have drafts.
    if (next === token && kind !== 'signed-out') return;
    // Another tab may have signed in with another token since.
    if (ofBrowser.getItem(KEY) === token) ofBrowser.removeItem(KEY);
    ofTab.removeItem(KEY);
    if (next !== null) storage.setItem(KEY, next);
    token = next;
    for (const listener of listeners) listener(kind);
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin
  const broadcast = (message: Handover): void => channel.postMessage(message);

  channel.addEventListener('message', ({ data }: MessageEvent<Handover>) => {
    if (data.type === 'token-request' && token !== null) broadcast({ type: 'token', token });
    else if (data.type === 'signed-out') change('signed-out', null);
    else if (data.type === 'token' && onToken !== null) onToken(data.token);
    else if (data.type === 'token' && token === null) change('adopted', data.token);
  });

  return {
    read: () => token,
    begin(next, { stays }) {
      change('begun', next, stays ? ofBrowser : ofTab);
      broadcast({ type: 'token', token: next });
    },
    end: () => change('ended', null),
    endEverywhere() {
      change('signed-out', null);
      // Also removes a session without an open tab.
      ofBrowser.removeItem(KEY);
      broadcast({ type: 'signed-out' });
    },
    async adopt() {
      if (token !== null) return;
      const adopted = await new Promise<string | null>((resolve) => {
        onToken = resolve;
        setTimeout(() => resolve(null), HANDOVER_MS);
        broadcast({ type: 'token-request' });
      });
      onToken = null;
      if (adopted !== null) change('adopted', adopted);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/**
 * The key of the token, in the storage of the tab, or in that of the browser if the user stays signed
 * in. docs/decisions/session-token.md explains why.
 */
const KEY = 'switchboard.session';
/** How long a new tab shows nothing while it waits for the token of another tab of the same browser. */
const HANDOVER_MS = 150;

type Handover =
  | { type: 'token-request' }
  | { type: 'token'; token: string }
  | { type: 'signed-out' };

export interface SessionStore {
  /** Returns the session token, or null when no user is signed in. */
  read(): string | null;
  /** With `stays`, the session outlives the tabs of this browser. */
  begin(token: string, options: { stays: boolean }): void;
  /** Removes the token from this tab, and from the browser if it is stored there. */
  end(): void;
  /** Removes the token from every tab. */
  endEverywhere(): void;
  /**
   * Copies the session of another open tab, if there is one. A tab that is busy responds later, and
   * `onLate` is called then.
   */
  adopt(onLate: () => void): Promise<void>;
  subscribe(listener: () => void): () => void;
}

export function createSessionStore(
  ofTab: Storage = sessionStorage,
  ofBrowser: Storage = localStorage,
  channel = new BroadcastChannel('switchboard.session'),
): SessionStore {
  let token = ofTab.getItem(KEY) ?? ofBrowser.getItem(KEY);
  const listeners = new Set<() => void>();
  let onToken: ((token: string) => void) | null = null;

  function change(next: string | null, storage = ofTab): void {
    if (next === token) return;
    // Another tab may have signed in with another token since.
    if (ofBrowser.getItem(KEY) === token) ofBrowser.removeItem(KEY);
    ofTab.removeItem(KEY);
    if (next !== null) storage.setItem(KEY, next);
    token = next;
    for (const listener of listeners) listener();
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin
  const broadcast = (message: Handover): void => channel.postMessage(message);

  channel.addEventListener('message', ({ data }: MessageEvent<Handover>) => {
    if (data.type === 'token-request' && token !== null) broadcast({ type: 'token', token });
    else if (data.type === 'token') onToken?.(data.token);
    else if (data.type === 'signed-out') {
      onToken = null;
      change(null);
    }
  });

  return {
    read: () => token,
    begin: (next, { stays }) => change(next, stays ? ofBrowser : ofTab),
    end: () => change(null),
    endEverywhere() {
      change(null);
      // Also removes a session without an open tab.
      ofBrowser.removeItem(KEY);
      broadcast({ type: 'signed-out' });
    },
    async adopt(onLate) {
      if (token !== null) return;
      let isLate = false;
      await new Promise<void>((resolve) => {
        onToken = (adopted) => {
          onToken = null;
          // The user may have signed in meanwhile.
          if (token !== null) return;
          change(adopted);
          if (isLate) onLate();
          else resolve();
        };
        setTimeout(resolve, HANDOVER_MS);
        broadcast({ type: 'token-request' });
      });
      isLate = true;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

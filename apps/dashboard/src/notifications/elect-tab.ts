/** The tab's part in the election of the tab that notifies. */
export interface Candidacy {
  /** Returns whether this tab notifies for all tabs of the browser. */
  isElected(): boolean;
  /** Returns whether the user sees one of the tabs. */
  isSeen(): Promise<boolean>;
  withdraw(): void;
}

/**
 * Elects the tab that notifies among those with this name: it holds a lock, which the next one gets
 * when it closes. A visible tab holds another lock, so that the elected one finds out.
 */
export function electTab(name: string): Candidacy {
  const withdrawn = new AbortController();
  const seen = `${name}.visible`;
  let isElected = false;
  let endVisible = (): void => undefined;

  void hold(name, { mode: 'exclusive', signal: withdrawn.signal }, (release) => {
    isElected = true;
    withdrawn.signal.addEventListener('abort', release);
  });

  function update(): void {
    endVisible();
    if (document.visibilityState !== 'visible' || withdrawn.signal.aborted) return;
    const ended = new AbortController();
    endVisible = () => ended.abort();
    void hold(seen, { mode: 'shared', signal: ended.signal }, (release) => {
      ended.signal.addEventListener('abort', release);
    });
  }
  update();
  document.addEventListener('visibilitychange', update);

  return {
    isElected: () => isElected,
    async isSeen() {
      const { held = [] } = await navigator.locks.query();
      return held.some((lock) => lock.name === seen);
    },
    withdraw() {
      isElected = false;
      document.removeEventListener('visibilitychange', update);
      withdrawn.abort();
      endVisible();
    },
  };
}

/** Holds a lock from the time when it is granted until `release` is called. An abort ends the waiting. */
async function hold(
  name: string,
  options: { mode: LockMode; signal: AbortSignal },
  onGranted: (release: () => void) => void,
): Promise<void> {
  try {
    await navigator.locks.request(name, options, async () => {
      await new Promise<void>((resolve) => {
        onGranted(resolve);
        // Aborted after it was granted, but before this ran.
        if (options.signal.aborted) resolve();
      });
    });
  } catch (error) {
    if (!options.signal.aborted) throw error;
  }
}

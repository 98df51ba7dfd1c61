/** The candidacy of this tab in the election of the tab that shows notifications. */
export interface Candidacy {
  /** Returns whether this tab shows the notifications of all tabs of the browser. */
  isElected(): boolean;
  /** Returns whether one of the tabs is visible. */
  isSeen(): Promise<boolean>;
  withdraw(): void;
}

/**
 * Elects the tab that shows notifications among the tabs with this name. The elected tab holds a
 * lock, which another tab gets when the elected one closes. Each visible tab holds a second lock,
 * so that the elected tab can check whether one is visible.
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

/** Holds a lock from the time when it is granted until `release` is called. An abort ends the wait. */
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

/** Opens or closes once. `opened` resolves with true if the worker started, else with false. */
export interface StartLatch {
  readonly opened: Promise<boolean>;
  readonly isClosed: boolean;
  open(): void;
  /** After `open` this only ends a wait for the start. */
  close(): void;
}

export function createStartLatch(): StartLatch {
  let resolve: (isOpen: boolean) => void = () => undefined;
  let isClosed = false;
  const opened = new Promise<boolean>((done) => {
    resolve = done;
  });
  return {
    opened,
    get isClosed() {
      return isClosed;
    },
    open: () => resolve(true),
    close() {
      isClosed = true;
      resolve(false);
    },
  };
}

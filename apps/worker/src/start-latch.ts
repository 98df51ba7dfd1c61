/**
 * Opens or closes once. `opened` resolves with true if the worker started, and otherwise with
 * false.
 */
export interface StartLatch {
  readonly opened: Promise<boolean>;
  readonly isClosed: boolean;
  open(): void;
  /** Has no effect after `open`. */
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

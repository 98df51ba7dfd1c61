// What browsers and Node share, and all this package may use of either.
declare const crypto: { getRandomValues<T extends Uint8Array>(array: T): T };
declare const queueMicrotask: (callback: () => void) => void;

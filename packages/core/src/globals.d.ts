// What browsers and Node share, and all this package may use of either.
declare const performance: { now(): number };
declare const crypto: { getRandomValues<T extends Uint8Array>(array: T): T };
declare const setTimeout: (callback: () => void, milliseconds: number) => object;
declare const clearTimeout: (timer: object | undefined) => void;

// Node's alone: `batch.ts` uses it, which no browser runs.
declare const setImmediate: (callback: () => void) => unknown;

// The globals of both browsers and Node. This package may use no others.
declare const performance: { now(): number };
declare const crypto: { getRandomValues<T extends Uint8Array>(array: T): T };
declare const setTimeout: (callback: () => void, milliseconds: number) => object;
declare const clearTimeout: (timer: object | undefined) => void;

// Only in Node: `batch.ts` uses it, which no browser runs.
declare const setImmediate: (callback: () => void) => unknown;

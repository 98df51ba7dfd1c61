// The globals of both browsers and Node. This package may use no others.
declare const performance: { now(): number };
declare const crypto: { getRandomValues<T extends Uint8Array>(array: T): T };
declare const setTimeout: (callback: () => void, milliseconds: number) => object;
declare const clearTimeout: (timer: object | undefined) => void;

// Only Node has it. Only `batch.ts` uses it, and no browser runs that file.
declare const setImmediate: (callback: () => void) => unknown;

import { CodeReplacedError, unreachable } from './api-error.ts';

const CHECK_TIMEOUT_MS = 8_000;

/** Imports a module. Throws an error for the user if the server can't be reached or runs another release. */
export async function loadCode<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (cause) {
    if (await isPageServed()) throw new CodeReplacedError('', { cause });
    throw unreachable(cause);
  }
}

async function isPageServed(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(CHECK_TIMEOUT_MS);
    const { ok } = await fetch(window.location.href, { cache: 'no-store', signal });
    return ok;
  } catch {
    return false;
  }
}

import { setTimeout as delay } from 'node:timers/promises';
import { identifyProcess } from './process-identity.ts';

/**
 * Stops the process with this identity: sends each signal in turn, and waits for the given time after it. Returns
 * false if the process still runs. Another process with the same pid is not signalled.
 */
export async function stopProcess(
  identity: string,
  steps: readonly (readonly [signal: NodeJS.Signals, timeoutMs: number])[],
): Promise<boolean> {
  const pid = Number.parseInt(identity, 10);
  for (const [signal, timeoutMs] of steps) {
    if ((await identifyProcess(pid)) !== identity) return true;
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ESRCH') return true;
      throw error;
    }
    const deadline = performance.now() + timeoutMs;
    while (performance.now() < deadline) {
      if ((await identifyProcess(pid)) !== identity) return true;
      await delay(20);
    }
  }
  return false;
}

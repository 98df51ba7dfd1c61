import { loadCode } from '../../../api/load-code.ts';
import type { Importer } from './create-importer.ts';
import type { WorkerCall, WorkerMessage } from './messages.ts';
import { trustWorker } from './trust-worker.ts';

interface Pending {
  resolve(result: unknown): void;
  reject(error: unknown): void;
  onRows?(rows: number): void;
}

export interface WorkerImporter extends Importer {
  /** Ends the worker with everything that it still does. */
  stop(): void;
}

/** Starts an importer in a web worker. */
export function startImporter(): WorkerImporter {
  const worker = new Worker(trustWorker(), { type: 'module' });
  const pending = new Map<number, Pending>();
  let calls = 0;

  worker.addEventListener('message', ({ data }: MessageEvent<WorkerMessage>) => {
    const waiting = pending.get(data.id);
    if ('rows' in data) return waiting?.onRows?.(data.rows);
    pending.delete(data.id);
    if ('error' in data) waiting?.reject(new Error(data.error));
    else waiting?.resolve(data.result);
  });
  // The file of the worker is missing after an upgrade of the server.
  worker.addEventListener('error', (event) => {
    const failing = [...pending.values()];
    pending.clear();
    const failed = loadCode<never>(() => Promise.reject(new Error(event.message)));
    void failed.catch((error: unknown) => {
      for (const { reject } of failing) reject(error);
    });
  });

  function call<Result>(
    request: WorkerCall extends infer Call
      ? Call extends WorkerCall
        ? Omit<Call, 'id'>
        : never
      : never,
    onRows?: Pending['onRows'],
  ): Promise<Result> {
    calls += 1;
    const id = calls;
    return new Promise<Result>((resolve, reject) => {
      pending.set(id, {
        resolve: (result) => resolve(result as Result),
        reject,
        ...(onRows !== undefined && { onRows }),
      });
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no other origin
      worker.postMessage({ ...request, id });
    });
  }

  return {
    open: (...parameters) => call({ name: 'open', parameters }),
    read: (...parameters) => call({ name: 'read', parameters }),
    plan: (uses, rules, onRows) => call({ name: 'plan', parameters: [uses, rules] }, onRows),
    batch: (...parameters) => call({ name: 'batch', parameters }),
    stop: () => worker.terminate(),
  };
}

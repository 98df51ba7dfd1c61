import type { ProcessSlot } from '@switchboard/testing';

/** The processes of one kind, of which more or fewer run as time goes on. */
export interface Replicas {
  running: readonly ProcessSlot[];
  /** Those that were taken away, too. */
  all: readonly ProcessSlot[];
  /** Starts or ends one after another until so many run. */
  scaleTo(count: number): Promise<void>;
}

/** @param create starts the process with this number, 1 being the first, and waits until it serves */
export function createReplicas(create: (number: number) => Promise<ProcessSlot>): Replicas {
  const running: ProcessSlot[] = [];
  const all: ProcessSlot[] = [];
  return {
    running,
    all,
    async scaleTo(count) {
      while (running.length < count) {
        const slot = await create(running.length + 1);
        running.push(slot);
        all.push(slot);
      }
      while (running.length > count) await running.pop()?.stop();
    },
  };
}

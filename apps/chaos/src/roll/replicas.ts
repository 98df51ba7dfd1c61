import type { ProcessSlot } from '@switchboard/testing';

/** The processes of one kind. Their number can change. */
export interface Replicas {
  running: readonly ProcessSlot[];
  /** Includes the stopped processes. */
  all: readonly ProcessSlot[];
  /** Starts or stops one process after another until `count` are running. */
  scaleTo(count: number): Promise<void>;
}

/** @param create starts the process with this number, counted from 1, and waits until it is ready */
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

/**
 * A hint that a message may be ready to send. It may be lost, late or repeated: the row decides.
 */
export interface DispatchHint {
  messageId: string;
  workspaceId: string;
  /** Of the request that made the message, so that logs can be followed. */
  requestId: string | null;
}

/** Hands hints to the workers. */
export interface HintProducer {
  /** Rejects within its own time-out; never hangs, whatever state the backend is in. */
  enqueue(hints: readonly DispatchHint[]): Promise<void>;
  /**
   * Whether the backend still holds what was given to it: once `lost` after it was flushed or
   * replaced under this process, and `unseen` for the first process that finds it empty, which may
   * be a first start. After either, the caller hands out the hints of every ready row again.
   */
  checkContinuity(): Promise<'intact' | 'lost' | 'unseen'>;
  /** Waiting and active jobs, each with a few hints at most. Rejects when the backend is away. */
  countPending(): Promise<number>;
  /** The jobs that the queue holds, by its own names of their states. Rejects as `countPending`. */
  countByState(): Promise<Readonly<Record<string, number>>>;
  /** Resolves when the backend answers; rejects within its time-out otherwise. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** Takes hints, a few at a time, and calls the processor with them. */
export interface HintConsumer {
  /** Resolves when the backend answers and hints are being taken; rejects otherwise. */
  ping(): Promise<void>;
  /** Takes no more, waits for processors under way at most `graceMs`, then lets go of them. */
  close(graceMs: number): Promise<void>;
}

export interface HintConsumerOptions {
  /** Calls of the processor under way at one time. */
  concurrency: number;
  /** Must not throw for expected outcomes; a throw is logged and the hints are dropped. */
  process(hints: readonly DispatchHint[]): Promise<void>;
}

/**
 * A hint that a message may be ready to send. It may be lost, late or repeated: the row decides.
 */
export interface DispatchHint {
  messageId: string;
  workspaceId: string;
  /** The id of the request that created the message, for logs. */
  requestId: string | null;
}

/** Sends hints to the workers. */
export interface HintProducer {
  /** Rejects after a timeout and never hangs, in any state of the backend. */
  enqueue(hints: readonly DispatchHint[]): Promise<void>;
  /**
   * Checks whether the backend still has the hints that it received. Returns `lost` once after the
   * backend was flushed or replaced under this process, and `unseen` in the first process that finds it
   * empty, which may be a first start. After either, the caller enqueues the hints of all ready rows
   * again.
   */
  checkContinuity(): Promise<'intact' | 'lost' | 'unseen'>;
  /**
   * Counts waiting and active jobs, each with a few hints at most. Rejects if the backend is
   * unavailable.
   */
  countPending(): Promise<number>;
  /** Counts all jobs by the backend's own names of their states. Rejects like `countPending`. */
  countByState(): Promise<Readonly<Record<string, number>>>;
  /** Resolves if the backend responds, and otherwise rejects after a timeout. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** Receives hints, a few at a time, and calls the processor with them. */
export interface HintConsumer {
  /** Resolves if the backend responds and hints are being received, and otherwise rejects. */
  ping(): Promise<void>;
  /** Stops receiving, waits at most `graceMs` for running processors, then abandons them. */
  close(graceMs: number): Promise<void>;
}

export interface HintConsumerOptions {
  /** The maximum number of concurrent calls to the processor. */
  concurrency: number;
  /**
   * Must not throw for expected outcomes. If it throws, the error is logged and the hints are dropped.
   */
  process(hints: readonly DispatchHint[]): Promise<void>;
}

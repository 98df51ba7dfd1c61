import {
  closeSync,
  constants,
  createReadStream,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { VendorAccount } from '../accounts/vendor-account.ts';
import type { Behaviour } from '../behaviour/behaviour.ts';
import type { Message, MessageStatus } from '../messages/message.ts';
import type { PhoneNumber } from '../numbers/owned-number.ts';
import type { Treatment } from '../phones/phone.ts';
import type { Provider } from '../provider.ts';
import type { StoredPart } from '../smpp/stored-part.ts';

/** A line of the append-only file that stores the simulator's state. */
export type JournalRecord =
  | { type: 'message'; message: Message }
  | {
      type: 'status';
      sid: string;
      status: MessageStatus;
      at: number;
      from: string | null;
      errorCode: number | null;
    }
  | { type: 'redacted'; sid: string; at: number }
  | { type: 'media_deleted'; sid: string; index: number }
  /** The webhook of an inbound message received a 2xx response. */
  | { type: 'delivered'; sid: string }
  | { type: 'token'; accountSid: string; token: string; at: number }
  | { type: 'number'; number: PhoneNumber }
  /** Without `provider`, it applies to all providers. */
  | { type: 'behaviour'; behaviour: Behaviour; provider?: Provider }
  | { type: 'vendor_account'; account: VendorAccount }
  /** How the carrier treats the texts to a phone. */
  | { type: 'phone'; number: string; treatment: Treatment }
  /** A confirmed part of an incomplete message; null when the message is accepted. */
  | { type: 'smpp_part'; key: string; part: StoredPart | null }
  | { type: 'ports'; ports: Record<Provider, number> };

export interface Journal {
  /**
   * Appends a record. Resolves after write(2): the record survives the process, but not a crash of
   * the machine, because there is no fsync. Rejects if the record was not written.
   */
  append(record: JournalRecord): Promise<void>;
  /** Yields the lines written so far, in order and in chunks. */
  readLines(): AsyncGenerator<string[]>;
  /** Replaces the file atomically with these records. */
  replaceWith(records: Iterable<JournalRecord>): void;
  close(): void;
}

interface Batch {
  lines: string[];
  written: Promise<void>;
  resolve(): void;
  reject(cause: unknown): void;
}

/**
 * Opens the journal and passes each record to `replay`. It drops an incomplete last line, which a
 * killed process never confirmed. `onError` is called for each failed write.
 */
export function openJournal(
  path: string,
  replay: (record: JournalRecord) => void,
  onError: (cause: unknown) => void,
): Journal {
  mkdirSync(dirname(path), { recursive: true });
  let fd = openSync(path, 'a+', 0o600);
  let size = replayFile(fd, path, replay);
  // The incomplete line is removed with the first write, not now: a second process that fails
  // because its port is in use must not change the file of the first.
  let mustTruncate = true;
  let isClosed = false;
  let batch: Batch | null = null;

  function write(text: string): void {
    // The system may have reused the descriptor for another file.
    if (isClosed) throw new Error('The journal is closed');
    if (mustTruncate) ftruncateSync(fd, size);
    mustTruncate = true;
    size += writeAll(fd, text);
    mustTruncate = false;
  }

  function flush(): void {
    if (batch === null) return;
    const { lines, resolve, reject } = batch;
    batch = null;
    try {
      write(lines.join(''));
      resolve();
    } catch (cause) {
      reject(cause);
    }
  }

  // All appends in one turn of the event loop share one write.
  function startBatch(): Batch {
    const { promise, resolve, reject } = withResolvers();
    promise.catch(onError);
    setImmediate(flush);
    return { lines: [], written: promise, resolve, reject };
  }

  return {
    append(record) {
      batch ??= startBatch();
      batch.lines.push(`${JSON.stringify(record)}\n`);
      return batch.written;
    },

    async *readLines() {
      if (size === 0) return;
      // Opened in the turn of the event loop that reads `size`, so that the file is not replaced in between.
      const stream = createReadStream(path, { fd: openSync(path, 'r'), end: size - 1 });
      let rest: Buffer = Buffer.alloc(0);
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
        const end = bytes.lastIndexOf(10) + 1;
        rest = bytes.subarray(end);
        if (end > 0) yield bytes.toString('utf8', 0, end - 1).split('\n');
      }
    },

    replaceWith(records) {
      // A pending batch is written to the new file.
      const text = [...records].map((record) => `${JSON.stringify(record)}\n`).join('');
      const { O_APPEND, O_CREAT, O_RDWR, O_TRUNC } = constants;
      const nextFd = openSync(`${path}.new`, O_APPEND | O_CREAT | O_RDWR | O_TRUNC, 0o600);
      const nextSize = writeAll(nextFd, text);
      renameSync(`${path}.new`, path);
      closeSync(fd);
      fd = nextFd;
      size = nextSize;
      mustTruncate = false;
    },

    close() {
      flush();
      isClosed = true;
      closeSync(fd);
    },
  };
}

function writeAll(fd: number, text: string): number {
  const bytes = Buffer.from(text);
  for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done);
  return bytes.length;
}

/** Replays the file line by line. Returns the length of its complete lines in bytes. */
function replayFile(fd: number, path: string, replay: (record: JournalRecord) => void): number {
  const chunk = Buffer.alloc(1 << 20);
  let rest: Buffer = Buffer.alloc(0);
  let size = 0;
  for (;;) {
    const read = readSync(fd, chunk, 0, chunk.length, size + rest.length);
    if (read === 0) return size;
    rest = Buffer.concat([rest, chunk.subarray(0, read)]);
    let start = 0;
    for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10, start)) {
      replay(parseLine(rest.toString('utf8', start, end), path));
      start = end + 1;
    }
    size += start;
    rest = rest.subarray(start);
  }
}

function parseLine(line: string, path: string): JournalRecord {
  try {
    return JSON.parse(line) as JournalRecord;
  } catch (cause) {
    throw new Error(
      `The simulator's journal ${path} is damaged. Remove it to start with an empty one.`,
      {
        cause,
      },
    );
  }
}

// Node 20 has no Promise.withResolvers.
function withResolvers() {
  let resolve!: () => void;
  let reject!: (cause: unknown) => void;
  const promise = new Promise<void>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}

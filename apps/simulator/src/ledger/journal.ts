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
import type { Behaviour } from '../behaviour/behaviour.ts';
import type { Message, MessageStatus } from '../messages/message.ts';
import type { PhoneNumber } from '../numbers/owned-number.ts';

/** Everything the simulator remembers, as the lines of one append-only file. */
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
  /** The webhook of an inbound message was answered with 2xx. */
  | { type: 'delivered'; sid: string }
  | { type: 'token'; accountSid: string; token: string; at: number }
  | { type: 'number'; number: PhoneNumber }
  | { type: 'behaviour'; behaviour: Behaviour };

export interface Journal {
  /**
   * Appends a record. Resolves when write(2) has taken it, so that it outlives the process
   * (not the machine: nothing is fsynced). Rejects when it was not written; nothing of it stays.
   */
  append(record: JournalRecord): Promise<void>;
  /** The lines written so far, in the order written, in chunks of many. */
  readLines(): AsyncGenerator<string[]>;
  /** Forgets everything but these records, in one rename. */
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
 * Opens the journal and hands every record in it to `replay`. A torn last line, left by a kill
 * in mid-write, was never answered for and is dropped. `onError` hears of each failed write, also
 * when nobody awaits it.
 */
export function openJournal(
  path: string,
  replay: (record: JournalRecord) => void,
  onError: (cause: unknown) => void,
): Journal {
  mkdirSync(dirname(path), { recursive: true });
  let fd = openSync(path, 'a+', 0o600);
  let size = replayFile(fd, path, replay);
  // Cut off at the first write, not now: a second process that finds the port taken must not
  // touch the file of the first.
  let mustCut = true;
  let isClosed = false;
  let batch: Batch | null = null;

  function write(text: string): void {
    // The descriptor may be another file's by now.
    if (isClosed) throw new Error('The journal is closed');
    if (mustCut) ftruncateSync(fd, size);
    mustCut = true;
    size += writeAll(fd, text);
    mustCut = false;
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

  // All appends of one turn of the event loop share one write.
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
      // Opened in the same turn as `size` is read: a replacement can't come between.
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
      // A batch that is still waiting goes to the new file.
      const text = [...records].map((record) => `${JSON.stringify(record)}\n`).join('');
      const { O_APPEND, O_CREAT, O_RDWR, O_TRUNC } = constants;
      const nextFd = openSync(`${path}.new`, O_APPEND | O_CREAT | O_RDWR | O_TRUNC, 0o600);
      const nextSize = writeAll(nextFd, text);
      renameSync(`${path}.new`, path);
      closeSync(fd);
      fd = nextFd;
      size = nextSize;
      mustCut = false;
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

/** Reads the file line by line; returns the length of its whole lines. */
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
    throw new Error(`The simulator's journal ${path} is damaged: remove it to start afresh.`, {
      cause,
    });
  }
}

// Promise.withResolvers is newer than Node 20.
function withResolvers() {
  let resolve!: () => void;
  let reject!: (cause: unknown) => void;
  const promise = new Promise<void>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}

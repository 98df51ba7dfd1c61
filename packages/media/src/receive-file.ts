import { createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** The file exceeds its maximum size. */
export class FileTooLargeError extends Error {
  override readonly name = 'FileTooLargeError';
}

/**
 * Writes a stream to a new file, durably, without holding it in memory. Returns its size. The stream is not destroyed
 * on failure, so that a request can still be answered.
 *
 * @throws FileTooLargeError as soon as more than `maxBytes` have arrived
 */
export async function receiveFile(
  source: Readable,
  path: string,
  maxBytes: number,
): Promise<number> {
  let size = 0;
  async function* readUpToLimit(): AsyncGenerator<Buffer> {
    // `pipeline` would destroy the socket of a request that it reads directly.
    const chunks = source.iterator({ destroyOnReturn: false });
    for await (const chunk of chunks as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) throw new FileTooLargeError(`more than ${maxBytes} bytes`);
      yield chunk;
    }
  }
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
  await pipeline(readUpToLimit, file);
  return size;
}

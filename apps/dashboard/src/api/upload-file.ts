import type { ErrorCode, MediaFile } from '@switchboard/contracts';
import { ApiError, unreachable } from './api-error.ts';

const TIMEOUT_MS = 60_000;

export interface UploadOptions {
  /** Aborts the upload, which then throws the reason of the signal. */
  signal: AbortSignal;
  /** Called with the sent fraction, from 0 to 1. */
  onProgress(part: number): void;
}

/** Sends a file as the body of a request. `fetch` does not report the progress of an upload. */
export function uploadFile(
  path: string,
  token: string | null,
  file: File,
  { signal, onProgress }: UploadOptions,
): Promise<MediaFile> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', path);
    request.timeout = TIMEOUT_MS;
    if (token !== null) request.setRequestHeader('authorization', `Bearer ${token}`);
    request.setRequestHeader('content-type', 'application/octet-stream');
    request.upload.addEventListener('progress', ({ loaded, total }) =>
      onProgress(total === 0 ? 0 : loaded / total),
    );
    request.addEventListener('load', () => {
      try {
        const response: unknown = JSON.parse(request.responseText);
        if (request.status === 201) return resolve(response as MediaFile);
        const { error, detail } = response as { error: ErrorCode; detail: string };
        reject(new ApiError(error, detail));
      } catch (error) {
        // A proxy in front of the server may send a response that is not JSON.
        reject(unreachable(error));
      }
    });
    const onInterrupted = () => reject(unreachable('the upload was interrupted'));
    request.addEventListener('error', onInterrupted);
    request.addEventListener('timeout', onInterrupted);
    request.addEventListener('abort', () => reject(signal.reason as Error));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(file);
  });
}

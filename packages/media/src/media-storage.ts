import type { Readable } from 'node:stream';

/** An uploaded file. Its name in the storage never comes from a client. */
export interface MediaKey {
  workspaceId: string;
  mediaId: string;
}

export interface StoredBytes {
  size: number;
  /** The caller must read it to its end or destroy it. */
  body: Readable;
}

/** Where uploaded files are: a folder, or a bucket of an S3-compatible service. */
export interface MediaStorage {
  /** Returns the path at which a file is received before it is stored. Its folder exists. */
  prepare(key: MediaKey): Promise<string>;
  /** Stores the received file durably, and removes it from its path. */
  store(key: MediaKey, path: string, contentType: string): Promise<void>;
  /** Returns null if there is no such file. */
  open(key: MediaKey): Promise<StoredBytes | null>;
  /** Removes the file and any received part of it. Succeeds if there is none. */
  remove(key: MediaKey): Promise<void>;
  close(): Promise<void>;
}

import { useRef, useState } from 'react';
import * as strings from '#strings/media';
import { useApi } from '../api/api-context.tsx';
import { explainFailure } from '../api/explain-failure.ts';
import { type Attachment, findAttachmentProblem } from './attachment.ts';

/** A file that is being uploaded. */
export interface Upload {
  id: number;
  name: string;
  size: number;
  /** The sent fraction, from 0 to 1. */
  part: number;
  cancel(): void;
}

export interface Attachments {
  list: readonly Attachment[];
  uploads: readonly Upload[];
  /** Why files were not attached, each with the name of the file. */
  problems: readonly string[];
  /** Uploads files and attaches each one when its upload has finished. */
  add(files: Iterable<File>): void;
  remove(url: string): void;
  clearProblems(): void;
}

/**
 * Uploads files and attaches them to a message that is being written. `change` is called even after
 * the component has been unmounted, so that an upload is not lost with its view.
 */
export function useAttachments(
  workspaceId: string,
  list: readonly Attachment[],
  change: (update: (current: readonly Attachment[]) => readonly Attachment[]) => void,
): Attachments {
  const api = useApi();
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const lastId = useRef(0);
  /** The ids of the uploads that have ended, by the URLs of their files. */
  const order = useRef(new Map<string, number>());

  function refuse(name: string, reason: string): void {
    setProblems((before) => [...before, strings.problemOf({ name, problem: reason })]);
  }

  async function upload(file: File, id: number, stop: AbortController): Promise<void> {
    try {
      const { url, name, content_type, size } = await api.upload(workspaceId, file, {
        signal: stop.signal,
        onProgress: (part) =>
          setUploads((all) => all.map((one) => (one.id === id ? { ...one, part } : one))),
      });
      order.current.set(url, id);
      change((current) =>
        // In the order of the user’s choice: a small file is uploaded before a large one that was
        // chosen first.
        [...current, { url, name, contentType: content_type, size }].toSorted(
          (a, b) => (order.current.get(a.url) ?? 0) - (order.current.get(b.url) ?? 0),
        ),
      );
    } catch (error) {
      if (stop.signal.aborted) return;
      refuse(
        file.name,
        explainFailure(error)
          .map(({ message }) => message)
          .join(' '),
      );
    } finally {
      setUploads((all) => all.filter((one) => one.id !== id));
    }
  }

  return {
    list,
    uploads,
    problems,
    add(files) {
      setProblems([]);
      const others: { size: number | null }[] = [...list, ...uploads];
      for (const file of files) {
        const problem = findAttachmentProblem(file, others);
        if (problem !== null) {
          refuse(file.name, problem);
          continue;
        }
        others.push(file);
        lastId.current += 1;
        const id = lastId.current;
        const stop = new AbortController();
        const started = { id, name: file.name, size: file.size, part: 0 };
        setUploads((all) => [...all, { ...started, cancel: () => stop.abort() }]);
        void upload(file, id, stop);
      }
    },
    remove(url) {
      setProblems([]);
      change((current) => current.filter((one) => one.url !== url));
    },
    clearProblems: () => setProblems([]),
  };
}

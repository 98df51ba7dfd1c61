import { createContext, use } from 'react';
import type { Attachment } from '../media/attachment.ts';

/** What the client's own system calls a message. */
export type Labels = Partial<{ reference: string; metadata: Record<string, string> }>;

/** The initial values of a new message. */
export interface ComposePreset {
  to?: string;
  from?: string;
  /** If `body` is set, the dialog shows only these values, and the user's draft is unchanged. */
  body?: string;
  mediaUrls?: string[];
  attachments?: readonly Attachment[];
  /** The message that the new one repeats, while its recipient stays the same. */
  repeatOf?: string;
  /** Sent with the new message, while its recipient stays the same. */
  labels?: Labels;
  /** Local time, as `toLocalTime` formats it. */
  scheduledAt?: string;
  /** The scheduled message that the new one replaces. */
  replaces?: string;
}

export type Compose = (preset: ComposePreset) => void;

export const ComposeContext = createContext<Compose | null>(null);

/** Returns the function that opens the dialog for a new message; null if the user may not send. */
export const useCompose = (): Compose | null => use(ComposeContext);

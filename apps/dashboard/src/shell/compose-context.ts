import { createContext, use } from 'react';

/** What a message to be written begins with. */
export interface ComposePreset {
  to?: string;
}

export const ComposeContext = createContext<(preset: ComposePreset) => void>(() => undefined);

/** Opens the dialog to write a message. */
export const useCompose = (): ((preset: ComposePreset) => void) => use(ComposeContext);

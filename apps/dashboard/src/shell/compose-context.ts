import { createContext, use } from 'react';

/** The initial values of a new message. */
export interface ComposePreset {
  to?: string;
}

export const ComposeContext = createContext<(preset: ComposePreset) => void>(() => undefined);

/** Returns a function that opens the dialog for a new message. */
export const useCompose = (): ((preset: ComposePreset) => void) => use(ComposeContext);

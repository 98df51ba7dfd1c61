import { createContext, use } from 'react';
import type { DraftStore } from '../compose/draft-store.ts';
import type { SessionStore } from '../session/session-store.ts';
import type { Api } from './create-api.ts';

export interface Dependencies {
  api: Api;
  session: SessionStore;
  drafts: DraftStore;
}

const DependenciesContext = createContext<Dependencies | null>(null);

export const DependenciesProvider = DependenciesContext.Provider;

export function useDependencies(): Dependencies {
  const dependencies = use(DependenciesContext);
  if (dependencies === null)
    throw new Error('useDependencies requires a DependenciesProvider above.');
  return dependencies;
}

export const useApi = (): Api => useDependencies().api;

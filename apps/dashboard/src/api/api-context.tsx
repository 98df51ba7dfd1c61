import { createContext, use } from 'react';
import type { DraftStore } from '../compose/draft-store.ts';
import type { SessionStore } from '../session/session-store.ts';
import type { Api } from './create-api.ts';

export interface Connections {
  api: Api;
  session: SessionStore;
  drafts: DraftStore;
}

const ConnectionsContext = createContext<Connections | null>(null);

export const ConnectionsProvider = ConnectionsContext.Provider;

export function useConnections(): Connections {
  const connections = use(ConnectionsContext);
  if (connections === null) throw new Error('There is no ConnectionsProvider above.');
  return connections;
}

export const useApi = (): Api => useConnections().api;

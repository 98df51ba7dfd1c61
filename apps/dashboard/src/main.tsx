import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiError } from './api/api-error.ts';
import { ConnectionsProvider } from './api/api-context.tsx';
import { createApi } from './api/create-api.ts';
import { createDraftStore } from './compose/draft-store.ts';
import { createAppRouter } from './router.tsx';
import { createSessionStore } from './session/session-store.ts';

const RETRIES = 3;

const session = createSessionStore();
const api = createApi(session);
const drafts = createDraftStore();
const queryClient = new QueryClient({
  queryCache: new QueryCache(),
  mutationCache: new MutationCache(),
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      // A refusal stays one; what can't be reached may be back in a moment.
      retry: (failures, error) =>
        failures < RETRIES &&
        error instanceof ApiError &&
        (error.code === 'unreachable' || error.code === 'service_unavailable'),
    },
    // Pausing would look like success: what can't be sent says so.
    mutations: { networkMode: 'always' },
  },
});
const router = createAppRouter({ api, session, drafts, queryClient });

// Signed out here or in another tab: nothing of it stays on the screen or in memory.
session.subscribe(() => {
  if (session.read() !== null) return;
  queryClient.clear();
  drafts.clear();
  void router.invalidate();
});

await session.adopt();
const root = document.querySelector('#root');
if (root === null) throw new Error('index.html has no #root.');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <ConnectionsProvider value={{ api, session, drafts }}>
        <RouterProvider router={router} />
      </ConnectionsProvider>
    </QueryClientProvider>
  </StrictMode>,
);

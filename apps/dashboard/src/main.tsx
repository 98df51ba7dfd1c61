import {
  MutationCache,
  QueryCache,
  QueryClient,
  QueryClientProvider,
  notifyManager,
} from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { isWorthRepeating } from './api/api-error.ts';
import { DependenciesProvider } from './api/api-context.tsx';
import { createApi } from './api/create-api.ts';
import { createDraftStore } from './compose/draft-store.ts';
import { createAppRouter } from './router.tsx';
import { createSessionStore } from './session/session-store.ts';

const RETRIES = 3;

// A button that starts a request is disabled before the next click can reach it. With the default, a
// timer, a double click sent the form twice.
notifyManager.setScheduler(queueMicrotask);

const session = createSessionStore();
const api = createApi(session);
const drafts = createDraftStore(sessionStorage);
const queryClient = new QueryClient({
  queryCache: new QueryCache(),
  mutationCache: new MutationCache(),
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      retry: (failures, error) => failures < RETRIES && isWorthRepeating(error),
    },
    // Fail at once while offline: a paused mutation would look like a success.
    mutations: { networkMode: 'always' },
  },
});
const router = createAppRouter({ api, session, drafts, queryClient });

await session.adopt();

session.subscribe((change) => {
  // The form that began the session opens the next page.
  if (change === 'begun') return;
  // A session that ends on its own keeps the drafts for their author.
  if (change === 'signed-out') drafts.clear();
  // When the session has ended, no data of the server may stay on the screen or in memory.
  if (session.read() === null) queryClient.clear();
  // Shows the sign-in, which leads back to the same page, or leaves it.
  void router.invalidate();
});

const root = document.querySelector('#root');
if (root === null) throw new Error('index.html has no element with the id root.');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <DependenciesProvider value={{ api, session, drafts }}>
        <RouterProvider router={router} />
      </DependenciesProvider>
    </QueryClientProvider>
  </StrictMode>,
);

import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { Outlet, useParams, useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import * as strings from '#strings/shell';
import { useDependencies } from '../api/api-context.tsx';
import { queryKeys } from '../api/query-keys.ts';
import { ContactProvider } from '../contacts/contact-context.tsx';
import { createContactDirectory } from '../contacts/contact-directory.ts';
import { UnreadProvider } from '../conversations/unread-context.tsx';
import { applyLiveBatch } from '../live/apply-live-batch.ts';
import { LiveFeedProvider, useLiveBatch } from '../live/live-context.tsx';
import { type LiveFeed, createLiveFeed } from '../live/live-feed.ts';
import { refetchUntilFresh } from '../live/refetch-until-fresh.ts';
import { Notifier } from '../notifications/notifier.tsx';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { lazyDialog } from '../ui/lazy-view.tsx';
import { CountryProvider } from '../phone/country-context.tsx';
import { OnceShownProvider } from '../ui/once-shown.tsx';
import { ConnectionBanner } from './connection-banner.tsx';
import { EmailBanner } from './email-banner.tsx';
import { BottomNavigation, Sidebar, TopBar } from './navigation.tsx';
import { useMay } from '../session/use-may.tsx';
import { ComposeContext, type ComposePreset } from './compose-context.ts';
import { TestModeBanner } from './mode-switch.tsx';
import { ShortcutHelp } from './shortcut-help.tsx';
import { SimulatorBanner } from './simulator-banner.tsx';
import { useShortcuts } from './use-shortcuts.ts';
import { useVisibleHeight } from './use-visible-height.ts';

const ComposeDialog = lazyDialog(() =>
  import('../compose/compose-dialog.tsx').then((module) => module.ComposeDialog),
);
const SearchDialog = lazyDialog(() =>
  import('../search/search-dialog.tsx').then((module) => module.SearchDialog),
);

/** The frame of every view of a workspace: live feed, navigation, composer. */
export function WorkspaceShell() {
  const { workspaceId } = useParams({ from: '/signed-in/w/$workspaceId' });
  return (
    // The key resets all state on a change of workspace, so that no data of another one is shown.
    <LiveWorkspace key={workspaceId} workspaceId={workspaceId}>
      <WithContacts workspaceId={workspaceId}>
        <UnreadProvider workspaceId={workspaceId}>
          <CountryProvider workspaceId={workspaceId}>
            <OnceShownProvider>
              <Frame workspaceId={workspaceId} />
            </OnceShownProvider>
          </CountryProvider>
        </UnreadProvider>
      </WithContacts>
    </LiveWorkspace>
  );
}

function LiveWorkspace({ workspaceId, children }: { workspaceId: string; children: ReactNode }) {
  const { session } = useDependencies();
  const client = useQueryClient();
  const router = useRouter();
  const [feed, setFeed] = useState<LiveFeed | null>(null);

  useEffect(() => {
    const token = session.read();
    if (token === null) return;
    const closed = new AbortController();
    const refetch = (keys: readonly QueryKey[]): void =>
      void refetchUntilFresh(client, keys, closed.signal);
    const opened = createLiveFeed({
      path: `/api/ui/workspaces/${encodeURIComponent(workspaceId)}/events`,
      token,
      onResumed: () =>
        refetch(
          ['conversations', 'conversation', 'notes', 'unread'].map((what) => [
            ...queryKeys.workspace(workspaceId),
            what,
          ]),
        ),
      onResync: () => refetch([queryKeys.workspace(workspaceId)]),
      onEnded: () => {
        // The next request shows whether the session or the membership has ended: the router then shows
        // the sign-in, which leads back to this page, or that the user has no access.
        void client.invalidateQueries({ queryKey: queryKeys.me });
        void router
          .invalidate({ sync: true })
          .then(() => client.removeQueries({ queryKey: queryKeys.workspace(workspaceId) }));
      },
    });
    setFeed(opened);
    return () => {
      closed.abort();
      opened.close();
    };
  }, [client, router, session, workspaceId]);

  return feed === null ? null : <LiveFeedProvider value={feed}>{children}</LiveFeedProvider>;
}

function WithContacts({ workspaceId, children }: { workspaceId: string; children: ReactNode }) {
  const { api } = useDependencies();
  const [directory] = useState(() =>
    createContactDirectory(async (numbers) => {
      const { data } = await api.request('GET /api/ui/workspaces/{workspaceId}/contacts', {
        params: { workspaceId },
        query: { numbers: numbers.join(','), limit: numbers.length },
      });
      return data;
    }),
  );
  useEffect(() => () => directory.close(), [directory]);
  return <ContactProvider value={directory}>{children}</ContactProvider>;
}

function Frame({ workspaceId }: { workspaceId: string }) {
  const client = useQueryClient();
  const [preset, setPreset] = useState<ComposePreset | null>(null);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const [isSearching, setSearching] = useState(false);
  const search = (): void => setSearching(true);
  const help = (): void => setHelpOpen(true);
  const maySend = useMay('send');
  // Preloaded so that text typed right after `c` or `/` goes into the dialog.
  useEffect(() => void Promise.all([ComposeDialog.preload(), SearchDialog.preload()]), []);
  useVisibleHeight();
  useLiveBatch((batch) => applyLiveBatch(client, workspaceId, batch));
  useShortcuts({
    ...(maySend && { compose: () => setPreset({}) }),
    search,
    help,
  });

  return (
    <ComposeContext value={maySend ? setPreset : null}>
      <a
        href="#main"
        className="sr-only z-20 rounded-lg bg-accent px-3 py-2 text-on-accent focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        {strings.skipToContent}
      </a>
      <div className="group/shell relative top-(--visible-top,0) flex h-(--visible-height,100dvh) flex-col [container:shell/size] md:flex-row print:block print:h-auto print:[container-type:normal]">
        <ErrorBoundary>
          <TopBar workspaceId={workspaceId} onSearch={search} onHelp={help} />
          <Sidebar workspaceId={workspaceId} onSearch={search} onHelp={help} />
        </ErrorBoundary>
        <main id="main" className="relative flex min-h-0 min-w-0 flex-1 flex-col print:block">
          <ErrorBoundary>
            <TestModeBanner workspaceId={workspaceId} />
            <SimulatorBanner workspaceId={workspaceId} />
            <EmailBanner />
            <ConnectionBanner />
          </ErrorBoundary>
          <Outlet />
        </main>
        <ErrorBoundary>
          <BottomNavigation workspaceId={workspaceId} />
        </ErrorBoundary>
      </div>
      <Notifier workspaceId={workspaceId} />
      <ErrorBoundary>
        {preset !== null && (
          <ComposeDialog
            workspaceId={workspaceId}
            preset={preset}
            onClose={() => setPreset(null)}
          />
        )}
        {isSearching && (
          <SearchDialog workspaceId={workspaceId} onClose={() => setSearching(false)} />
        )}
      </ErrorBoundary>
      {isHelpOpen && <ShortcutHelp onClose={() => setHelpOpen(false)} />}
    </ComposeContext>
  );
}

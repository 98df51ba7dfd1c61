import { type Me, liveWorkspaceOf, modeOf } from '@switchboard/contracts';
import { type QueryClient, useIsMutating } from '@tanstack/react-query';
import {
  Outlet,
  createRootRouteWithContext,
  createRoute,
  createRouter,
  notFound,
  redirect,
} from '@tanstack/react-router';
import { useSyncExternalStore } from 'react';
import { type Dependencies, useDependencies } from './api/api-context.tsx';
import { meQuery, testWorkspaceQuery } from './api/workspace-queries.ts';
import { BASE_PATH, storageKey } from './base-path.ts';
import { MessagesPage } from './messages/messages-page.tsx';
import { parseMessageSearch } from './messages/message-filters.ts';
import { FactorGate } from './second-factor/factor-gate.tsx';
import { inviteHash, readInviteToken } from './session/invite-token.ts';
import {
  ConfirmEmailPage,
  ForgotPasswordPage,
  InvitePage,
  ResetPasswordPage,
  SignUpPage,
} from './session/open-pages.ts';
import { continuesSignIn } from './session/sign-on.tsx';
import { SignInPage } from './session/sign-in-page.tsx';
import {
  PageMissing,
  PanelFailure,
  RouteFailure,
  RouteMissing,
  WorkspaceFailure,
  WorkspaceMissing,
} from './shell/route-failure.tsx';
import { lazyPage } from './ui/lazy-view.tsx';
import { UNSENT, useUnsentWarning } from './ui/use-unsent-warning.ts';

interface RouterContext extends Dependencies {
  queryClient: QueryClient;
}

const LAST_WORKSPACE = storageKey('workspace');

const root = createRootRouteWithContext<RouterContext>()({
  component: Root,
  errorComponent: RouteFailure,
  notFoundComponent: RouteMissing,
});

function Root() {
  const { drafts } = useDependencies();
  const hasDrafts = useSyncExternalStore(drafts.subscribe, drafts.hasUnsent);
  const inFlight = useIsMutating({ mutationKey: UNSENT });
  useUnsentWarning(hasDrafts || inFlight > 0);
  return <Outlet />;
}

/** A user who is signed in needs no form to sign in or up. */
function leaveIfSignedIn({ session }: RouterContext, hash: string, next = `${BASE_PATH}/`): void {
  if (session.read() === null || continuesSignIn(hash)) return;
  const token = readInviteToken(hash);
  if (token !== null) {
    redirect({ throw: true, to: '/invite', hash: inviteHash(token), replace: true });
  }
  // The router removes the base path from `href`.
  redirect({ throw: true, href: next, replace: true });
}

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: ({ next }: Record<string, unknown>): { next?: string } =>
    // Only paths of this app: a link must not redirect to another host after sign-in.
    typeof next === 'string' && /^\/(?![/\\])[^\s\\]+$/.test(next) ? { next } : {},
  beforeLoad: ({ context, location, search }) =>
    leaveIfSignedIn(context, location.hash, search.next),
  component: SignInPage,
});

const signUp = createRoute({
  getParentRoute: () => root,
  path: '/sign-up',
  beforeLoad: ({ context, location }) => leaveIfSignedIn(context, location.hash),
  component: SignUpPage,
});

/** Creates a page that works without a session. */
function createOpenPage<const Path extends string>(
  path: Path,
  component: ReturnType<typeof lazyPage>,
) {
  return createRoute({ getParentRoute: () => root, path, component });
}

const invite = createOpenPage('/invite', InvitePage);
const forgotPassword = createOpenPage('/forgot-password', ForgotPasswordPage);
const resetPassword = createOpenPage('/reset-password', ResetPasswordPage);
const confirmEmail = createOpenPage('/confirm-email', ConfirmEmailPage);

/** The parent of all routes that require a session. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: ({ context, location }) => {
    if (context.session.read() === null) {
      redirect({
        throw: true,
        to: '/sign-in',
        search: location.href === '/' ? {} : { next: location.publicHref },
        replace: true,
      });
    }
  },
  component: Outlet,
});

const home = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  loader: async ({ context: { api, queryClient } }) => {
    const { workspaces } = await queryClient.query(meQuery(api));
    const last = localStorage.getItem(LAST_WORKSPACE);
    const workspace = workspaces.find(({ id }) => id === last) ?? workspaces[0];
    if (workspace === undefined)
      return redirect({
        throw: true,
        to: '/new-workspace',
        replace: true,
      });
    return redirect({
      throw: true,
      to: '/w/$workspaceId/messages',
      params: { workspaceId: workspace.id },
      replace: true,
    });
  },
  errorComponent: RouteFailure,
});

const newWorkspace = createRoute({
  getParentRoute: () => signedIn,
  path: '/new-workspace',
  component: lazyPage(() =>
    import('./shell/new-workspace-page.tsx').then((module) => module.NewWorkspacePage),
  ),
});

const workspace = createRoute({
  getParentRoute: () => signedIn,
  path: '/w/$workspaceId',
  loader: async ({ context: { api, drafts, queryClient }, params }) => {
    const me = await queryClient.query(meQuery(api));
    drafts.open(me.user.id);
    const liveId = liveWorkspaceOf(params.workspaceId);
    // The cache may lack a workspace that has just been created.
    const isIn = ({ workspaces }: Me): boolean => workspaces.some(({ id }) => id === liveId);
    if (!isIn(me) && !isIn(await queryClient.query({ ...meQuery(api), staleTime: 0 }))) {
      notFound({ throw: true });
    }
    if (modeOf(params.workspaceId) === 'test') {
      await queryClient.query(testWorkspaceQuery(api, liveId));
    }
    // The address of the dashboard without a workspace always leads to live mode.
    localStorage.setItem(LAST_WORKSPACE, liveId);
  },
  component: FactorGate,
  errorComponent: WorkspaceFailure,
  notFoundComponent: WorkspaceMissing,
});

const workspaceHome = createRoute({
  getParentRoute: () => workspace,
  path: '/',
  beforeLoad: ({ params }) => {
    redirect({
      throw: true,
      to: '/w/$workspaceId/messages',
      params,
      replace: true,
    });
  },
});

const messages = createRoute({
  getParentRoute: () => workspace,
  path: 'messages',
  validateSearch: parseMessageSearch,
  component: MessagesPage,
});

const message = createRoute({
  getParentRoute: () => messages,
  path: '$messageId',
  component: lazyPage(() =>
    import('./message/message-panel.tsx').then((module) => module.MessagePanel),
  ),
});

const conversations = createRoute({
  getParentRoute: () => workspace,
  path: 'conversations',
  component: lazyPage(() =>
    import('./conversations/conversations-page.tsx').then((module) => module.ConversationsPage),
  ),
});

const conversation = createRoute({
  getParentRoute: () => conversations,
  path: '$number',
  component: lazyPage(() => import('./conversations/thread.tsx').then((module) => module.Thread)),
});

const contacts = createRoute({
  getParentRoute: () => workspace,
  path: 'contacts',
  component: lazyPage(() =>
    import('./contacts/contacts-page.tsx').then((module) => module.ContactsPage),
  ),
});

const overview = createRoute({
  getParentRoute: () => workspace,
  path: 'overview',
  validateSearch: ({ range }: Record<string, unknown>): { range?: string } =>
    typeof range === 'string' ? { range } : {},
  component: lazyPage(() =>
    import('./overview/overview-page.tsx').then((module) => module.OverviewPage),
  ),
});

const settings = createRoute({
  getParentRoute: () => workspace,
  path: 'settings',
  component: lazyPage(() =>
    import('./settings/settings-page.tsx').then((module) => module.SettingsPage),
  ),
});

const settingsSection = createRoute({
  getParentRoute: () => settings,
  path: '$section',
  component: lazyPage(() =>
    import('./settings/settings-section.tsx').then((module) => module.SettingsSection),
  ),
});

const workspacePageMissing = createRoute({
  getParentRoute: () => workspace,
  path: '$',
  component: PageMissing,
});

const routeTree = root.addChildren([
  signIn,
  signUp,
  invite,
  forgotPassword,
  resetPassword,
  confirmEmail,
  signedIn.addChildren([
    home,
    newWorkspace,
    workspace.addChildren([
      workspaceHome,
      messages.addChildren([message]),
      conversations.addChildren([conversation]),
      contacts,
      overview,
      settings.addChildren([settingsSection]),
      workspacePageMissing,
    ]),
  ]),
]);

export function createAppRouter(context: RouterContext) {
  return createRouter({
    routeTree,
    context,
    basepath: BASE_PATH === '' ? '/' : BASE_PATH,
    defaultPreload: 'intent',
    defaultErrorComponent: PanelFailure,
    // The query cache alone decides whether data is stale.
    defaultPreloadStaleTime: 0,
    // Plain parameters, because the default would quote numbers and plus signs.
    parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
    stringifySearch: (search) => {
      const entries = Object.entries(search).filter(([, value]) => value !== undefined);
      const query = new URLSearchParams(entries.map(([name, value]) => [name, String(value)]));
      return query.size === 0 ? '' : `?${query.toString()}`;
    },
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}

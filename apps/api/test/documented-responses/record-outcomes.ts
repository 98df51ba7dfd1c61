import { exampleOf } from '@switchboard/contracts';
import { testWorkspaceOf } from '@switchboard/core';
import { MAGIC_SENDER } from '@switchboard/providers/magic-numbers';
import type { ChildProcess, WorkspaceFixture } from '@switchboard/testing';
import { type DocumentedRoute, codesOf, documentedRoutes } from '../documented.ts';
import { PNG } from '../media-samples.ts';
import { type AskOptions, ask } from '../start-service.ts';
import { type AppRequest, askApp } from '../tenancy/ask-app.ts';
import { api, ours } from './environment.ts';

/** For example `GET /api/messages 400 invalid_params`, or without a code for a success. */
const seen = new Set<string>();

/** The value of each path variable, from our own workspace. */
export const resources: Record<string, string> = {};

/** Routes of test mode act in the test workspace. */
const ofTestMode = () => ({ workspaceId: testWorkspaceOf(ours.workspaceId) });

interface RequestOptions extends AskOptions {
  base?: ChildProcess;
  upgrade?: boolean;
}

/** Sends a request and records the response. `key` is a method and a path, with or without variables. */
export async function record(key: string, options: RequestOptions = {}): Promise<string> {
  const [method = '', template = ''] = key.split(' ');
  const values = template.includes('/test/') ? { ...resources, ...ofTestMode() } : resources;
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
  const { base = api, upgrade, ...request } = options;
  const { token, headers } = request;
  const { status, text } = upgrade
    ? await requestUpgrade(base.url, { method, path, token, ...(headers && { headers }) })
    : await ask(base.url, path, { ...request, method });
  return recordOutcome(method, path, status, text);
}

async function requestUpgrade(url: string, request: AppRequest) {
  const { status, body } = await askApp(url, { ...request, upgrade: true });
  return { status, text: body };
}

export function recordOutcome(method: string, path: string, status: number, text: string): string {
  const code = status >= 400 ? ` ${(JSON.parse(text) as { error: string }).error}` : '';
  const route = documentedRoutes.find(
    (one) =>
      one.method === method &&
      one.path.split('/').length === path.split('?')[0]?.split('/').length &&
      new RegExp(`^${one.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path.split('?')[0] ?? ''),
  );
  const outcome = `${status}${code}`;
  seen.add(`${route?.key ?? path} ${outcome}`);
  return outcome;
}

export function tokenOf({ endpoint }: DocumentedRoute, who: WorkspaceFixture = ours): AskOptions {
  if (endpoint.credential === 'api_key') {
    const isOfTestMode = endpoint.path.startsWith('/api/test/') && who === ours;
    return { token: isOfTestMode ? (resources['testKey'] ?? '') : who.apiKey };
  }
  return endpoint.credential === 'session' ? { token: who.sessionToken } : {};
}

export const isCounted = (route: DocumentedRoute) => tokenOf(route).token !== undefined;
export const isEvents = ({ path }: DocumentedRoute) => path.endsWith('/events');
export const schemeOf = ({ endpoint }: DocumentedRoute) => endpoint.credential;

/** Returns the example body of the definition, changed where it cannot succeed here. */
export function goodBody({
  endpoint: { route, name, credential },
}: DocumentedRoute): object | undefined {
  if (route.body === undefined || route.bodyType !== undefined) return undefined;
  const changes: Record<string, object> = {
    logIn: { email: ours.email, password: ours.password },
    changeEmail: { password: ours.password },
    connectIdentity: { password: ours.password },
    disconnectIdentity: { password: ours.password },
    changePassword: { current_password: ours.password, password: ours.password },
    addContact: { number: credential === 'session' ? '+15550005557' : '+15550006667' },
    changeContact: { number: credential === 'session' ? '+15550005558' : '+15550006668' },
    mergeContact: { contact_id: resources['otherContactId'] },
    changeSavedReply: { name: 'Changed' },
    // A name that the workspace has already is no change, and leaves no audit entry.
    changeWorkspace: { name: `Renamed ${Math.random()}` },
    addProvider: { type: 'sandbox', credentials: {} },
    changeProvider: { name: 'Renamed' },
    putRouting: { rules: [], failover: false },
    changeSavedView: { name: 'Changed' },
    receiveTestMessage: { to: MAGIC_SENDER },
    addNumber: { number: credential === 'session' ? '+15550005555' : '+15550006666' },
  };
  return { ...(exampleOf(route.body, 'input') as object), ...changes[name] };
}

/** Returns the body of a request whose body is a file. */
export function fileOf({ endpoint: { route } }: DocumentedRoute): AskOptions {
  if (route.bodyType !== 'application/octet-stream') return {};
  return { raw: new Uint8Array(PNG), headers: { 'content-type': 'image/png' } };
}

/** Returns the documented responses with these statuses and codes that have not been seen yet. */
export function findUnseen(matches: (status: number, code: string) => boolean): string[] {
  const documented = documentedRoutes.flatMap((route) => [
    {
      status: route.endpoint.route.response.status,
      code: '',
      outcome: `${route.key} ${route.endpoint.route.response.status}`,
    },
    ...codesOf(route).map(({ status, code }) => ({
      status,
      code,
      outcome: `${route.key} ${status} ${code}`,
    })),
  ]);
  return documented
    .filter(({ status, code, outcome }) => matches(status, code) && !seen.has(outcome))
    .map(({ outcome }) => outcome);
}

import type { Clock } from '@switchboard/core';
import type { SecretBox } from '@switchboard/runtime';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Cookies } from './cookies.ts';
import { type FlowSecrets, createFlowSecrets } from './identity-provider.ts';

/** A sign-in that a browser has started at the provider. */
export interface Flow {
  secrets: FlowSecrets;
  /** The path in the dashboard to return to. */
  returnTo: string;
  /** Who connects the identity, and in which session; null for a sign-in. */
  connects: { userId: string; sessionId: string } | null;
}

export interface Flows {
  /** Stores the flow in the browser, so that any API process can finish it, and no other browser. */
  begin(
    exchange: { request: FastifyRequest; reply: FastifyReply },
    target: Omit<Flow, 'secrets'>,
  ): Promise<Flow>;
  /** Takes the flow out of the browser. Returns null if the browser has none with this state, or it is too old. */
  take(exchange: { request: FastifyRequest; reply: FastifyReply }, state: string): Flow | null;
}

/** Seals a text so that every running process can open it. */
export type SealFlow = (text: string, workspaceId: string) => Promise<string>;

const LIFETIME_SECONDS = 600;
/** Sign-ins of one browser at a time, each in a tab. More would exceed the limit of a request's headers. */
const MAX_FLOWS = 5;
const PREFIX = 'switchboard_flow_';
/** The owner under which flows are sealed: no workspace. */
export const ofFlow = (workspaceId: string) => ({ workspaceId, field: 'oidc_flow' });
const OWNER = ofFlow('');

export function createFlows(dependencies: {
  cookies: Cookies;
  secretBox: Pick<SecretBox, 'open'>;
  sealFlow: SealFlow;
  clock: Clock;
}): Flows {
  const { cookies, secretBox, sealFlow, clock } = dependencies;

  return {
    async begin({ request, reply }, target) {
      const flow: Flow = { secrets: createFlowSecrets(), ...target };
      const content = JSON.stringify({ ...flow, until: clock.now() + LIFETIME_SECONDS * 1_000 });
      const sealed = await sealFlow(content, OWNER.workspaceId);
      const begun = cookies.list(request, PREFIX);
      if (begun.length >= MAX_FLOWS) for (const name of begun) cookies.clear(reply, name);
      cookies.set(reply, nameOf(flow.secrets.state), sealed, LIFETIME_SECONDS);
      return flow;
    },

    take({ request, reply }, state) {
      const name = nameOf(state);
      const sealed = cookies.read(request, name);
      if (sealed === null) return null;
      cookies.clear(reply, name);
      const { until, ...flow } = open(secretBox, sealed) ?? { until: 0 };
      const isValid = until > clock.now() && 'secrets' in flow && flow.secrets.state === state;
      return isValid ? flow : null;
    },
  };
}

/** Each tab has its own cookie, so that a second sign-in does not break the first. */
const nameOf = (state: string): string =>
  `${PREFIX}${state.replaceAll(/[^\w-]/g, '').slice(0, 12)}`;

function open(
  secretBox: Pick<SecretBox, 'open'>,
  sealed: string,
): (Flow & { until: number }) | null {
  try {
    // Only `begin` seals for this owner.
    return JSON.parse(secretBox.open(sealed, OWNER)) as Flow & { until: number };
  } catch {
    return null;
  }
}

const LONGEST_PATH = 1_000;

/** Returns a path of the dashboard, with query and fragment. Every other text becomes `/`: it may lead to another site. */
export function readReturnTo(text: string | undefined): string {
  if (text === undefined || text.length > LONGEST_PATH) return '/';
  // Browsers read a backslash as a slash, and remove tabs and line ends.
  if (!/^\/(?![/\\])[\x21-\x7e]*$/.test(text) || text.includes('\\')) return '/';
  const base = 'http://dashboard.invalid';
  if (!URL.canParse(text, base)) return '/';
  const { origin, pathname, search, hash } = new URL(text, base);
  return origin === base && !pathname.startsWith('//') ? `${pathname}${search}${hash}` : '/';
}

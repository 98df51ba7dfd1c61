import { createHmac } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '@switchboard/testing/random';
import type { ChaosWorkspace, Harness } from '../start-harness.ts';

export interface Forgeries {
  /** Adds a real message to the targets of forged callbacks. */
  target(workspace: number, messageId: string): void;
  stop(): Promise<void>;
  sent: number;
  /** Forged callbacks that were not refused. */
  accepted: readonly string[];
}

const EVERY_MS = 250;
const TIMEOUT_MS = 4_000;
const STATUSES = ['failed', 'undelivered', 'delivered', 'read'];

/**
 * Sends callbacks that the service must refuse: without a signature, with the signature of another
 * workspace, and correctly signed by another workspace for a message that is not its own.
 */
export function forgeCallbacks(harness: Harness, random: Random): Forgeries {
  const known: { workspace: number; messageId: string }[] = [];
  const accepted: string[] = [];
  const stopping = new AbortController();
  const forgeries = { sent: 0 };

  async function forgeOne(): Promise<void> {
    if (known.length === 0) return;
    const { workspace, messageId } = random.pick(known);
    const owner = workspaceAt(harness, workspace);
    const attacker = workspaceAt(harness, (workspace + 1) % harness.workspaces.length);
    const way = random.pick([
      'unsigned',
      'signed by another workspace',
      'message of another workspace',
    ] as const);
    const isOthers = way === 'message of another workspace';
    const path = isOthers ? attacker.workspaceId : owner.workspaceId;
    const route = `/api/webhooks/twilio/${path}/status?message=${messageId}&attempt=1`;
    const sid = `SM${String(random.between(0, 999_999_999)).padStart(32, '0')}`;
    const status = random.pick(STATUSES);
    const fields = {
      AccountSid: isOthers ? attacker.accountSid : owner.accountSid,
      MessageSid: sid,
      MessageStatus: status,
    };
    const signature =
      way === 'unsigned' ? 'AAAA' : sign(attacker.authToken, harness.balancer.url + route, fields);
    try {
      const response = await harness.http.send(random.pick(harness.apiUrls) + route, {
        method: 'POST',
        headers: { 'x-twilio-signature': signature },
        body: new URLSearchParams(fields),
        timeoutMs: TIMEOUT_MS,
      });
      forgeries.sent += 1;
      if (response.status !== 403 && response.status < 500) {
        accepted.push(`${way}: ${status} for ${messageId} was answered with ${response.status}`);
      }
    } catch {
      // The API is down, so it accepted nothing.
    }
  }

  async function forgeUntilStopped(): Promise<void> {
    while (!stopping.signal.aborted) {
      await forgeOne();
      await delay(EVERY_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }
  const running = forgeUntilStopped();

  return {
    target: (workspace, messageId) => known.push({ workspace, messageId }),
    async stop() {
      stopping.abort();
      await running;
    },
    get sent() {
      return forgeries.sent;
    },
    accepted,
  };
}

function workspaceAt(harness: Harness, index: number): ChaosWorkspace {
  const workspace = harness.workspaces[index];
  if (workspace === undefined) throw new RangeError(`no workspace has the index ${index}`);
  return workspace;
}

/** https://www.twilio.com/docs/usage/security#validating-requests */
function sign(token: string, url: string, fields: Record<string, string>): string {
  const signed = Object.entries(fields)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .reduce((text, [name, value]) => text + name + value, url);
  return createHmac('sha1', token).update(signed).digest('base64');
}

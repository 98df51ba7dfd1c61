import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type AccountAddress,
  type DispatchHint,
  createDispatchPolicy,
  createTransition,
  decideDirectEvidence,
} from '@switchboard/core';
import {
  OPERATOR,
  createProviderAccountStore,
  createProviderStore,
  createUnmatchedCallbackStore,
} from '@switchboard/database';
import { createLogger } from '@switchboard/runtime';
import { EVENTUALLY, updateMessages } from '@switchboard/testing';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createWorkerMetrics } from '../src/worker-metrics.ts';
import { claimAndDie, sendAs } from './claim-and-die.ts';
import { FROM, SHORT_LEASES, startEnvironment } from './start-environment.ts';

const RECIPIENT = '+14155550100';

describe.concurrent('a worker that died during a call', () => {
  let environment: Awaited<ReturnType<typeof startEnvironment>>;
  let worker: Awaited<ReturnType<typeof environment.startWorker>>;
  const ends: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    const settings = { ...SHORT_LEASES, POLL_MS: '60000' };
    environment = await startEnvironment({ settings }, (end) => ends.push(end));
    worker = await environment.startWorker();
  });
  afterAll(async () => {
    for (const end of ends) await end();
  });

  const sendAsDeadWorker = (accountSid: string, body: string): Promise<string> =>
    sendAs(environment, accountSid, { to: RECIPIENT, body });

  test('when a worker dies before the request is written, its message is sent once, after the hold', async () => {
    const { workspaceId, accountSid } = await environment.addWorkspace();
    const hint = await environment.accept(workspaceId, RECIPIENT, { hint: false });
    await claimAndDie(environment, [hint], async () => undefined);
    const row = await environment.until(hint.messageId, (now) => now.dispatch === 'accepted');
    expect(row).toMatchObject({ attempt: 2, resends: 1, sid_adopted: false });
    expect(await environment.ledger(accountSid)).toHaveLength(1);
    expect(await environment.events(hint.messageId)).toEqual([
      'created',
      'attempt_started',
      ...Array.from({ length: 3 }, () => 'outcome_unknown'),
      'attempt_failed',
      'attempt_started',
      'provider_accepted',
    ]);
  });

  test('when a worker dies after the request is written, its message is found and not sent again', async () => {
    const { workspaceId, accountSid } = await environment.addWorkspace();
    const hint = await environment.accept(workspaceId, RECIPIENT, { hint: false, body: 'found' });
    const sid = await claimAndDie(environment, [hint], () => sendAsDeadWorker(accountSid, 'found'));
    const row = await environment.until(hint.messageId, (now) => now.dispatch === 'accepted');
    expect(row).toMatchObject({ attempt: 1, provider_sid: sid, sid_adopted: true });
    expect(await environment.ledger(accountSid)).toHaveLength(1);
  });

  test('when the provider has a message twice, one is adopted and the other is reported as untracked', async () => {
    const { workspaceId, accountSid } = await environment.addWorkspace();
    const hint = await environment.accept(workspaceId, RECIPIENT, { hint: false, body: 'twice' });
    const sids = await claimAndDie(environment, [hint], async () => [
      await sendAsDeadWorker(accountSid, 'twice'),
      await sendAsDeadWorker(accountSid, 'twice'),
    ]);
    const row = await environment.until(hint.messageId, (now) => now.dispatch === 'accepted');
    const spare = sids.find((sid) => sid !== row.provider_sid);
    await vi.waitFor(
      () =>
        expect(worker.logs).toContainEqual(
          expect.objectContaining({
            msg: 'untracked: the provider has messages that match no row',
            provider_sids: [spare],
          }),
        ),
      EVENTUALLY,
    );
  });

  test('when the provider has as many equal texts as there are unknown outcomes, each is found without a hold', async () => {
    const { workspaceId, accountSid } = await environment.addWorkspace();
    const accept = () => environment.accept(workspaceId, RECIPIENT, { hint: false, body: 'equal' });
    const hints = [await accept(), await accept(), await accept()];
    await claimAndDie(environment, hints, async () => {
      for (const _ of hints) await sendAsDeadWorker(accountSid, 'equal');
    });
    const rows = [];
    for (const { messageId } of hints) {
      rows.push(await environment.until(messageId, (now) => now.dispatch === 'accepted'));
    }
    const sids = (await environment.ledger(accountSid)).map(({ sid }) => sid);
    expect(new Set(rows.map((row) => row.provider_sid))).toEqual(new Set(sids));
    expect(rows.map((row) => row.resends)).toEqual([0, 0, 0]);
  });

  test('when the provider has fewer equal texts than there are unknown outcomes, only the missing ones are sent', async () => {
    const { workspaceId, accountSid } = await environment.addWorkspace();
    const accept = () => environment.accept(workspaceId, RECIPIENT, { hint: false, body: 'equal' });
    const hints = [await accept(), await accept(), await accept()];
    await claimAndDie(environment, hints, () => sendAsDeadWorker(accountSid, 'equal'));
    const rows = [];
    for (const { messageId } of hints) {
      rows.push(await environment.until(messageId, (now) => now.dispatch === 'accepted'));
    }
    const sids = (await environment.ledger(accountSid)).map(({ sid }) => sid);
    expect(sids).toHaveLength(3);
    expect(new Set(rows.map((row) => row.provider_sid))).toEqual(new Set(sids));
    expect(rows.filter((row) => row.resends === 1)).toHaveLength(2);
  });

  test('a lookup does not adopt the message of another workspace with the same provider account', async () => {
    const { workspaceId, accountSid } = await environment.addWorkspace();
    const other = await environment.addWorkspace({ accountSid });
    const sent = await environment.accept(other.workspaceId, RECIPIENT, { body: 'shared' });
    const theirs = await environment.until(sent.messageId, (now) => now.dispatch === 'accepted');
    const hint = await environment.accept(workspaceId, RECIPIENT, { hint: false, body: 'shared' });
    await claimAndDie(environment, [hint], async () => undefined);
    const ours = await environment.until(hint.messageId, (now) => now.dispatch === 'accepted');
    expect(ours.provider_sid).not.toBe(theirs.provider_sid);
    expect(ours.resends).toBe(1);
    expect(await environment.ledger(accountSid)).toHaveLength(2);
  });

  test('a lookup finds the message of an account that was removed during the call and added again', async () => {
    const { workspaceId, providerId, accountSid } = await environment.addWorkspace();
    const { database } = environment;
    const sealed = await database.prisma.providerAccount.findUniqueOrThrow({
      where: { id: providerId },
      select: { type: true, vendorAccountId: true, sealedSecret: true, secretLast4: true },
    });
    const hint = await environment.accept(workspaceId, RECIPIENT, { hint: false, body: 'again' });
    const sid = await claimAndDie(environment, [hint], async () => {
      const accepted = await sendAsDeadWorker(accountSid, 'again');
      expect(await createProviderAccountStore(database).remove(workspaceId, null, OPERATOR)).toBe(
        'removed',
      );
      const again = { ...sealed, senderPool: null, onUnknown: 'resend', at: new Date() } as const;
      await createProviderStore(database).put({ workspaceId, ...again });
      return accepted;
    });
    const row = await environment.until(hint.messageId, (now) => now.dispatch === 'accepted');
    expect(row).toMatchObject({ provider_id: providerId, provider_sid: sid, attempt: 1 });
    expect(await environment.ledger(accountSid)).toHaveLength(1);
  });

  test('a message of an account that is no longer configured is neither looked up nor sent again', async () => {
    const { workspaceId } = await environment.addWorkspace();
    const hint = await environment.accept(workspaceId, RECIPIENT, { hint: false });
    await claimAndDie(environment, [hint], () =>
      environment.database.pool.query(
        'UPDATE message_progress SET vendor_account_id = $2 WHERE id = $1',
        [hint.messageId, 'AC00000000000000000000000000000000'],
      ),
    );
    await environment.until(hint.messageId, (now) => now.dispatch === 'unknown');
    await delay(2_000);
    expect(await environment.row(hint.messageId)).toMatchObject({
      dispatch: 'unknown',
      attempt: 1,
    });
  });

  test('callbacks that arrived before a message had its identifier are applied to it', async () => {
    const workspace = await environment.addWorkspace();
    const { workspaceId, accountSid } = workspace;
    const stranger = await environment.addWorkspace({ accountSid });
    const hint = await environment.accept(workspaceId, RECIPIENT, { hint: false, body: 'early' });
    const unmatchedCallbacks = createUnmatchedCallbackStore(environment.database);
    const keep = (of: AccountAddress, sid: string, status: 'read' | 'delivered') =>
      unmatchedCallbacks.keep(of, {
        messageId: null,
        sid,
        vendorAccountId: accountSid,
        from: FROM,
        errorCode: null,
        errorDetail: null,
        isOptOut: false,
        status,
        rawStatus: status,
      });
    const sid = await claimAndDie(environment, [hint], async () => {
      const accepted = await sendAsDeadWorker(accountSid, 'early');
      await keep(stranger, accepted, 'read');
      await keep(workspace, accepted, 'delivered');
      return accepted;
    });
    const row = await environment.until(hint.messageId, (now) => now.status === 'delivered');
    expect(row.provider_sid).toBe(sid);
  });
});

describe('direct evidence', () => {
  async function start() {
    const environment = await startEnvironment();
    const { workspaceId, providerId, accountSid } = await environment.addWorkspace();
    const metrics = createWorkerMetrics({ poolWaiting: () => 0 });
    const logs: string[] = [];
    const log = createLogger({
      name: 'test',
      level: 'info',
      destination: { write: (line) => logs.push(line) },
    });
    const policy = createDispatchPolicy({ unknownLookupsMs: [100, 200], pollsMs: [60_000] });
    const publishLater = () => undefined;
    const { transition } = createTransition({
      store: environment.store,
      unmatchedCallbacks: createUnmatchedCallbackStore(environment.database),
      publishLater,
      policy,
      metrics,
    });
    const prove = (hint: DispatchHint, sid: string) =>
      transition(
        { workspaceId: hint.workspaceId, id: hint.messageId },
        (row) =>
          decideDirectEvidence(
            row,
            {
              sid,
              providerId,
              vendorAccountId: accountSid,
              status: 'queued',
              rawStatus: 'queued',
              from: FROM,
              errorCode: null,
              errorDetail: null,
              isOptOut: false,
            },
            policy,
            'response',
          ),
        { log },
      );
    return { environment, workspaceId, accountSid, metrics, logs, prove };
  }
  const newSid = (): string => `SM${randomUUID().replaceAll('-', '')}`;

  test('direct evidence takes an identifier from the message that adopted it by lookup, and the outcome of that message becomes unknown again', async () => {
    const { environment, workspaceId, accountSid, prove, metrics } = await start();
    const guessed = await environment.accept(workspaceId, RECIPIENT, { hint: false, body: 'same' });
    const proved = await environment.accept(workspaceId, RECIPIENT, { hint: false, body: 'same' });
    const sid = newSid();
    await environment.store.claim(guessed);
    await updateMessages(environment.database.pool, {
      set: `dispatch = 'accepted', provider_sid = $2, vendor_account_id = $3,
         provider_status = 'queued', sid_adopted = true, due_at = NULL`,
      where: 'id = $1',
      values: [guessed.messageId, sid, accountSid],
    });
    await environment.store.claim(proved);
    expect((await prove(proved, sid)).kind).toBe('changed');
    expect(await environment.row(proved.messageId)).toMatchObject({
      dispatch: 'accepted',
      provider_sid: sid,
    });
    expect(await environment.row(guessed.messageId)).toMatchObject({
      dispatch: 'unknown',
      provider_sid: null,
    });
    expect((await metrics.duplicates.get()).values[0]?.value).toBe(0);
  });

  test('direct evidence of a second identifier is reported as a duplicate and changes nothing', async () => {
    const { environment, workspaceId, prove, metrics, logs } = await start();
    const hint = await environment.accept(workspaceId, RECIPIENT, { hint: false });
    await environment.store.claim(hint);
    const sid = newSid();
    await prove(hint, sid);
    const second = newSid();
    // Later callbacks of the second message repeat the evidence; it is reported once.
    for (let calls = 0; calls < 3; calls += 1) {
      expect((await prove(hint, second)).kind).toBe('duplicate');
    }
    expect(await environment.row(hint.messageId)).toMatchObject({ provider_sid: sid });
    expect((await metrics.duplicates.get()).values[0]?.value).toBe(1);
    expect(logs.join('')).toContain('duplicate: the provider accepted this message twice');
    expect(await environment.events(hint.messageId)).toEqual([
      'created',
      'attempt_started',
      'provider_accepted',
      'provider_accepted',
    ]);
  });
});

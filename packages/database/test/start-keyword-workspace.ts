import { randomInt, randomUUID } from 'node:crypto';
import {
  type Keyword,
  createDispatchPolicy,
  createReceiveInbound,
  createUuidV7,
  decideDirectEvidence,
} from '@switchboard/core';
import {
  type Database,
  OPERATOR,
  createMessageStore,
  createOptOutStore,
  createProviderStore,
} from '@switchboard/database';

const ACCOUNT = 'AC1';
export const MINUTE_MS = 60_000;

const POLICY = createDispatchPolicy({ unknownLookupsMs: [1_000], pollsMs: [1_000] });
const REFUSED = {
  messageId: null,
  vendorAccountId: ACCOUNT,
  status: 'failed' as const,
  rawStatus: 'failed',
  from: null,
  errorCode: '21610',
  errorDetail: null,
  isOptOut: true,
};
const WORDS: Record<Keyword, string> = { opt_out: 'STOP', opt_in: 'START', help: 'HELP' };

/** Creates a workspace, and functions for the messages and the opt-outs of one recipient. */
export async function startKeywordWorkspace(database: Database) {
  const workspaceId = randomUUID();
  const at = new Date();
  await database.prisma.workspace.create({
    data: { id: workspaceId, name: 'Test', createdAt: at },
  });
  const provider = await createProviderStore(database).put({
    workspaceId,
    type: 'twilio',
    vendorAccountId: ACCOUNT,
    sealedSecret: 'sealed',
    secretLast4: '',
    senderPool: null,
    onUnknown: 'resend',
    at,
  });
  if (provider === 'exists') throw new Error('the workspace has the account already');
  const { id: providerId } = provider;
  const from = `+1555${randomInt(1_000_000, 9_999_999)}`;
  const store = createMessageStore(database, { leaseMs: 1_000, hintGraceMs: 1_000 });
  const receiveInbound = createReceiveInbound({
    store: (message, keyword) => store.receive(message, keyword),
    publishLater: () => undefined,
    hintLater: () => undefined,
    reportProblem: () => undefined,
  });

  /** `agoMs` is null for a webhook that arrives now; otherwise the age in the provider's list. */
  function receive(
    keyword: Keyword | null,
    agoMs: number | null,
    sid: string = randomUUID(),
    custom: { word: string; providerKeyword: Keyword | null } | null = null,
  ) {
    const now = Date.now();
    return receiveInbound(
      {
        sid,
        vendorAccountId: ACCOUNT,
        to: '+15550000001',
        from,
        body: custom?.word ?? (keyword === null ? 'Hello' : WORDS[keyword]),
        media: [],
        segments: 1,
        providerKeyword: custom?.providerKeyword ?? null,
      },
      {
        workspaceId,
        providerId,
        now,
        listedAt: agoMs === null ? null : now - agoMs,
        requestId: 'r',
        traceParent: null,
        log: { info: () => undefined },
      },
    );
  }
  const isOptedOut = async () =>
    (await database.prisma.optOut.count({ where: { workspaceId, number: from } })) > 0;
  const optOuts = createOptOutStore(database);
  const remove = () => optOuts.remove(workspaceId, from, OPERATOR);
  const add = () =>
    optOuts.add(workspaceId, { number: from, reason: 'By phone', createdAt: new Date() }, OPERATOR);

  async function send(): Promise<string> {
    const createdAt = new Date();
    const id = createUuidV7(createdAt.getTime());
    await store.accept({
      id,
      createdAt,
      workspaceId,
      to: from,
      from: '+15550000001',
      body: 'Hello',
      media: [],
      segments: 1,
      scheduledAt: null,
      requestId: 'r',
      idempotency: null,
    });
    return id;
  }
  /** Sends messages that the provider refuses with 21610, in one batch. */
  async function refuseSends(count: number): Promise<void> {
    const changes = [];
    for (let n = 0; n < count; n += 1) {
      const messageId = await send();
      const row = await store.claim({ messageId, workspaceId });
      if (row === null) throw new Error('the message was not ready');
      const { change } = decideDirectEvidence(
        row,
        { ...REFUSED, providerId, sid: `SM${n}` },
        POLICY,
        'callback',
      );
      if (change === null) throw new Error('the callback changed nothing');
      changes.push(change);
    }
    await Promise.all(changes.map((change) => store.apply(change)));
  }
  return { workspaceId, from, receive, isOptedOut, remove, add, refuseSends };
}

import { QUOTAS, createUuidV7, subscriberForms, testWorkspaceOf } from '@switchboard/core';
import { type Actor, recordAudit } from '../audit/record-audit.ts';
import type { Database } from '../database.ts';
import type { Prisma } from '../generated/client.ts';
import { type Page, type PageRequest, listPage } from '../list-page.ts';
import { hashedForms } from '../opt-outs/opt-out-forms.ts';
import { lockWorkspace } from '../workspaces/lock-workspace.ts';

/** A request to erase a person, without the number. */
export interface StoredErasure {
  id: string;
  requestedAt: Date;
  erasedAt: Date | null;
  total: number;
  erased: number;
  canceled: number;
  waiting: number;
  redacted: number;
  redactFailed: number;
  redactUnable: number;
  /** Copies at providers that are still to be removed. */
  redactPending: number;
}

export type ErasureRequest =
  | { kind: 'requested' | 'known'; erasure: StoredErasure }
  /** The number is one of the workspace's own. */
  | { kind: 'own_number' }
  | { kind: 'quota_exceeded' };

export interface ErasureStore {
  /**
   * Requests that a person is erased. Returns the earlier request if that one has not erased everything here; one that
   * only waits for copies at providers does not know what has come since. In live mode, the person is erased in test mode, too.
   */
  request(workspaceId: string, id: string, number: string, by: Actor): Promise<ErasureRequest>;
  find(workspaceId: string, id: string): Promise<StoredErasure | null>;
  /** Lists the newest requests first. */
  list(workspaceId: string, page: PageRequest): Promise<Page<StoredErasure>>;
}

const SHOWN = {
  id: true,
  requestedAt: true,
  erasedAt: true,
  total: true,
  erased: true,
  canceled: true,
  waiting: true,
  redacted: true,
  redactFailed: true,
  redactUnable: true,
  _count: { select: { redactions: true } },
} as const satisfies Prisma.ErasureSelect;

type Shown = Prisma.ErasureGetPayload<{ select: typeof SHOWN }>;

const toErasure = ({ _count, ...erasure }: Shown): StoredErasure => ({
  ...erasure,
  redactPending: _count.redactions,
});

/** Returns every form of the number, and of the other numbers of the same contact. */
async function numbersOfPerson(
  tx: Prisma.TransactionClient,
  workspaceId: string,
  number: string,
): Promise<string[]> {
  const forms = [...subscriberForms(number)];
  const contacts = await tx.contact.findMany({
    where: { workspaceId, OR: [{ number: { in: forms } }, { otherNumbers: { hasSome: forms } }] },
    select: { number: true, otherNumbers: true },
  });
  const known = contacts.flatMap((contact) => [contact.number, ...contact.otherNumbers]);
  return [...new Set([...forms, ...known.flatMap((other) => [...subscriberForms(other)])])];
}

interface NewErasure {
  workspaceId: string;
  id: string;
  number: string;
  numberHash: string;
  /** All numbers of the person. */
  numbers: string[];
}

async function insertErasure(
  tx: Prisma.TransactionClient,
  { workspaceId, id, numberHash, numbers }: NewErasure,
  by: Actor,
): Promise<void> {
  // A message that another process accepts at the same time may have an id of a later millisecond.
  await tx.$executeRaw`
    INSERT INTO erasures (id, workspace_id, number_hash, numbers, before_id, next_step_at, total)
    SELECT ${id}::uuid, ${workspaceId}::uuid, ${numberHash}, ${numbers},
      uuid_v7(now() + interval '1 second'), now(), (
        SELECT count(*) FROM message_records
        WHERE workspace_id = ${workspaceId}::uuid AND counterpart = ANY(${numbers}))`;
  const detail = { numbers: numbers.length };
  const action = 'person.erase_requested';
  await recordAudit(tx, by, { workspaceId, action, target: numberHash, detail });
}

export function createErasureStore({ prisma, pool }: Database): ErasureStore {
  const hashOf = (workspaceId: string, number: string): string => {
    const [hash] = hashedForms(pool, { workspaceId, number });
    if (hash === undefined) throw new Error('the database has no keys for erased numbers');
    return hash;
  };

  /** Also erases the person in test mode. Neither a quota nor a sender of test mode may keep a person who is erased in live mode. */
  async function requestInTestMode(
    tx: Prisma.TransactionClient,
    { workspaceId: liveId, number, numbers }: NewErasure,
    by: Actor,
  ): Promise<void> {
    const workspaceId = testWorkspaceOf(liveId);
    if (workspaceId === liveId || (await tx.workspace.count({ where: { id: workspaceId } })) === 0)
      return;
    await lockWorkspace(tx, workspaceId);
    const all = new Set([...numbers, ...(await numbersOfPerson(tx, workspaceId, number))]);
    const own = await tx.phoneNumber.findMany({
      where: { workspaceId, number: { in: [...all] } },
      select: { number: true },
    });
    for (const sender of own) all.delete(sender.number);
    const id = createUuidV7(Date.now());
    const numberHash = hashOf(workspaceId, number);
    await insertErasure(tx, { workspaceId, id, number, numberHash, numbers: [...all] }, by);
  }

  return {
    request(workspaceId, id, number, by) {
      const numberHash = hashOf(workspaceId, number);
      return prisma.$transaction(async (tx): Promise<ErasureRequest> => {
        await lockWorkspace(tx, workspaceId);
        const open = { workspaceId, erasedAt: null };
        const known = await tx.erasure.findFirst({ where: { ...open, numberHash }, select: SHOWN });
        if (known !== null) return { kind: 'known', erasure: toErasure(known) };
        const count = await tx.erasure.count({ where: open });
        if (count >= QUOTAS.openErasuresPerWorkspace) return { kind: 'quota_exceeded' };
        const numbers = await numbersOfPerson(tx, workspaceId, number);
        const own = await tx.phoneNumber.count({ where: { workspaceId, number: { in: numbers } } });
        if (own > 0) return { kind: 'own_number' };
        const erasure = { workspaceId, id, number, numberHash, numbers };
        await insertErasure(tx, erasure, by);
        await requestInTestMode(tx, erasure, by);
        const stored = await tx.erasure.findFirstOrThrow({
          where: { workspaceId, id },
          select: SHOWN,
        });
        return { kind: 'requested', erasure: toErasure(stored) };
      });
    },
    async find(workspaceId, id) {
      const found = await prisma.erasure.findFirst({ where: { workspaceId, id }, select: SHOWN });
      return found === null ? null : toErasure(found);
    },
    list(workspaceId, page) {
      const where = { workspaceId };
      return listPage(
        page,
        () => prisma.erasure.count({ where }),
        async (range) => {
          const order = { orderBy: { id: 'desc' }, select: SHOWN } as const;
          return (await prisma.erasure.findMany({ ...range, where, ...order })).map(toErasure);
        },
      );
    },
  };
}

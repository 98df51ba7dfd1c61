import type { DispatchPolicy, Doubts, ProviderMessage, Rivals } from '@switchboard/core';
import type { DueMessage, LookUpContext, MessageStore } from '@switchboard/database';
import { type Candidates, SLACK_MS } from './find-candidates.ts';

export interface FreeMessages {
  free: Candidates;
  rivals: Rivals;
  doubts: Doubts;
}

export const NOTHING_FOUND: Omit<FreeMessages, 'free'> = {
  rivals: { undecided: 0, held: 0 },
  doubts: { altered: 0, otherMedia: 0 },
};

/** Removes messages that rows already hold, and counts the other rows that may claim the rest. */
export async function readFreeMessages(
  store: Pick<MessageStore, 'readLookUpContext'>,
  row: DueMessage,
  found: Candidates,
  policy: DispatchPolicy,
): Promise<FreeMessages> {
  const { messages, altered } = found;
  if (messages.length + altered.length === 0) return { free: found, ...NOTHING_FOUND };
  const youngest = Math.max(...messages.map(({ createdAt }) => createdAt?.getTime() ?? Infinity));
  const context = await store.readLookUpContext({
    id: row.id,
    workspaceId: row.workspaceId,
    vendorAccountId: row.vendorAccountId ?? '',
    to: row.to,
    from: row.from,
    sids: [...messages, ...altered].map(({ sid }) => sid),
    alteredBodies: [...new Set(altered.map(({ body }) => body ?? ''))],
    begunAgoMs: Number.isFinite(youngest) ? Date.now() - youngest - SLACK_MS : null,
    holdLookups: policy.unknownLookupsMs.length,
  });
  const held = new Set(context.heldSids);
  const isFree = ({ sid }: ProviderMessage): boolean => !held.has(sid);
  const free = {
    ...found,
    messages: messages.filter(isFree),
    altered: altered.filter(isFree),
  };
  const doubts = {
    otherMedia: context.otherMedia,
    altered: countUnexplained(free.altered, context.openTexts),
  };
  return { free, rivals: context.rivals, doubts };
}

/** Counts the messages whose text matches no other row with an unknown outcome. */
function countUnexplained(
  free: readonly ProviderMessage[],
  openTexts: LookUpContext['openTexts'],
): number {
  const rows = new Map(openTexts.map((open) => [open.body, open.rows]));
  return free.filter(({ body }) => {
    const left = rows.get(body ?? '') ?? 0;
    rows.set(body ?? '', left - 1);
    return left <= 0;
  }).length;
}

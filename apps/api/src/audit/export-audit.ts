import type { AuditSelection, AuditStore, StoredAuditEntry } from '@switchboard/database';
import { CSV_START, toCsvLine, toSafeCell, writeRows } from '../wire/to-csv-line.ts';

const PAGE_SIZE = 500;

const COLUMNS = ['at', 'actor_type', 'actor_id', 'actor', 'action', 'target', 'detail', 'ip'];

/** Writes the audit trail of a workspace as CSV, one page of entries at a time. */
export async function* exportAudit(
  audit: Pick<AuditStore, 'listBefore'>,
  workspaceId: string,
  selection: AuditSelection,
): AsyncGenerator<string, void, undefined> {
  yield `${CSV_START}${toCsvLine(COLUMNS)}`;
  let page: StoredAuditEntry[] = [];
  do {
    page = await audit.listBefore(workspaceId, selection, page.at(-1)?.id ?? null, PAGE_SIZE);
    yield* writeRows(page, toLine);
  } while (page.length === PAGE_SIZE);
}

function toLine({ at, actor, action, target, detail, ip }: StoredAuditEntry): string {
  const { kind, id, name } = actor;
  const texts = [kind, id ?? '', name ?? '', action, target, JSON.stringify(detail), ip ?? ''];
  return toCsvLine([at.toISOString(), ...texts.map(toSafeCell)]);
}

import { type AuditEntry, routes, toAuditSelection } from '@switchboard/contracts';
import type { AuditStore, StoredAuditEntry } from '@switchboard/database';
import type { RegisterRoute } from '../http/register-route.ts';
import type { SendTable } from '../http/send-table.ts';
import { exportAudit } from './export-audit.ts';
import { respondWithPage } from '../wire/respond-with-page.ts';

export function registerAuditRoute(
  registerRoute: RegisterRoute,
  { audit, sendTable }: { audit: AuditStore; sendTable: SendTable },
): void {
  registerRoute(routes.exportAuditEntries, ({ workspaceId, query, reply }) => {
    const parts = exportAudit(audit, workspaceId, toAuditSelection(query));
    return sendTable(reply, { workspaceId, fileName: 'audit.csv', parts });
  });

  registerRoute(routes.listAuditEntries, ({ workspaceId, query }) => {
    const selection = toAuditSelection(query);
    return respondWithPage(query, (page) => audit.list(workspaceId, selection, page), toAuditEntry);
  });
}

function toAuditEntry({ at, actor, ...entry }: StoredAuditEntry): AuditEntry {
  const { kind: type, id, name } = actor;
  return { ...entry, at: at.toISOString(), actor: { type, id, name } };
}

import type { AuditEntry } from '@switchboard/contracts';
import type { AuditStore, StoredAuditEntry } from '@switchboard/database';
import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify';
import type { Credentials } from '../http/credentials.ts';
import { requireOwner } from '../http/require-owner.ts';
import { answerPage } from '../wire/answer-page.ts';

export interface AuditRouteDependencies {
  credentials: Credentials;
  requireMember: onRequestAsyncHookHandler;
  audit: AuditStore;
}

export function registerAuditRoute(
  app: FastifyInstance,
  { credentials, requireMember, audit }: AuditRouteDependencies,
): void {
  app.get(
    '/api/ui/workspaces/:workspaceId/audit',
    { onRequest: [credentials.requireSession, requireMember, requireOwner] },
    (request) =>
      answerPage(request, (page) => audit.list(request.membership.workspaceId, page), toAuditEntry),
  );
}

function toAuditEntry({ at, actor, ...entry }: StoredAuditEntry): AuditEntry {
  const { kind: type, id, name } = actor;
  return { ...entry, at: at.toISOString(), actor: { type, id, name } };
}

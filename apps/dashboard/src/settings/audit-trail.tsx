import type { AuditEntry } from '@switchboard/contracts';
import { useState } from 'react';
import { formatFullTime } from '../ui/format.ts';
import { ScrollText } from '../ui/icons.ts';
import { EmptyState } from '../ui/notice.tsx';
import { ListCard, ListRow, Section } from './section.tsx';
import type { SectionProps } from './sections.ts';
import { useSettingsList } from './use-settings.ts';

const ACTIONS: Record<AuditEntry['action'], string> = {
  'workspace.created': 'created the workspace',
  'workspace.renamed': 'renamed the workspace',
  'member.added': 'added a member',
  'member.invited': 'invited someone',
  'invite.withdrawn': 'withdrew an invitation',
  'member.joined': 'accepted an invitation',
  'member.role_changed': 'changed a member’s role',
  'member.removed': 'removed a member',
  'member.left': 'left the workspace',
  'member.password_changed': 'changed their password',
  'api_key.created': 'created an API key',
  'api_key.revoked': 'revoked an API key',
  'provider.set': 'connected the provider',
  'provider.deleted': 'disconnected the provider',
  'routing.set': 'changed the routing',
  'number.added': 'added a number',
  'number.changed': 'changed a number',
  'number.deleted': 'removed a number',
  'opt_out.added': 'added an opt-out',
  'opt_out.removed': 'removed an opt-out',
  'keyword_replies.changed': 'changed the keyword replies',
  'contact.merged': 'merged two contacts',
  'webhook_endpoint.created': 'added a webhook endpoint',
  'webhook_endpoint.changed': 'changed a webhook endpoint',
  'webhook_endpoint.secret_rotated': 'replaced the secret of a webhook endpoint',
  'webhook_endpoint.disabled': 'disabled a webhook endpoint that failed',
  'webhook_endpoint.deleted': 'deleted a webhook endpoint',
};

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function AuditTrail({ workspaceId }: SectionProps) {
  const [page, setPage] = useState(1);
  const audit = useSettingsList(workspaceId, 'audit', page, (api, options) =>
    api.request('GET /api/ui/workspaces/{workspaceId}/audit', options),
  );
  return (
    <Section title="Audit trail" about="Who changed what, newest first.">
      <ListCard
        query={audit}
        one="entry"
        onPage={setPage}
        empty={
          <EmptyState icon={<ScrollText size={20} aria-hidden />} title="No changes yet">
            Changes to the settings appear here.
          </EmptyState>
        }
      >
        {({ id, at, actor, action, target, detail }) => (
          <ListRow
            key={id}
            title={
              <span>
                <bdi>{actor.name ?? 'The operator'}</bdi>{' '}
                <span className="font-normal text-soft">{ACTIONS[action]}</span>
              </span>
            }
            about={<span dir="auto">{describeChange(target, detail)}</span>}
          >
            <time dateTime={at} className="text-[0.8125rem] text-faint tabular-nums">
              {formatFullTime(at)}
            </time>
          </ListRow>
        )}
      </ListCard>
    </Section>
  );
}

/** Omits a target that is an internal id, which means nothing to a reader. */
function describeChange(target: string, detail: AuditEntry['detail']): string {
  const changes = Object.entries(detail)
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => {
      return `${name.replaceAll('_', ' ')}: ${describeValue(value)}`;
    });
  return (UUID.test(target) ? changes : [target, ...changes]).join(' · ');
}

function describeValue(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null) return 'default';
  if (typeof value === 'object' && 'from' in value && 'to' in value) {
    return `${describeValue(value.from)} → ${describeValue(value.to)}`;
  }
  return JSON.stringify(value);
}

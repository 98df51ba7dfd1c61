import { ALL_SCOPES, type ApiKey } from '@switchboard/contracts';
import { useState } from 'react';
import * as strings from '#strings/api-keys';
import * as names from '#strings/names';
import { formatFullTime } from '../ui/format.ts';
import { Time } from '../ui/time.tsx';
import { KeyRound } from '../ui/icons.ts';
import { EmptyState } from '../ui/notice.tsx';
import { CreateKey } from './api-keys/create-key.tsx';
import { KeyDetails } from './api-keys/key-details.tsx';
import { RotateButton } from './api-keys/rotate-button.tsx';
import { ConfirmButton } from './confirm-button.tsx';
import { ListCard, ListRow, Section, Tag } from './section.tsx';
import type { SectionProps } from './sections.ts';
import { useMay } from '../session/use-may.tsx';
import { useSettingsChange, useSettingsList } from './use-settings.ts';

export function ApiKeySettings({ workspaceId }: SectionProps) {
  const [page, setPage] = useState(1);
  const isOwner = useMay('manage');
  const keys = useSettingsList(workspaceId, 'api-keys', page, (api, options) =>
    api.request('GET /api/ui/workspaces/{workspaceId}/api-keys', options),
  );
  return (
    <>
      <Section title={names.apiKeys} about={strings.apiKeysAbout}>
        <ListCard
          query={keys}
          count={strings.keyCount}
          onPage={setPage}
          toCells={(key) => [
            key.name,
            `${key.prefix}…${key.last4}`,
            strings.modeNames[key.mode],
            key.scopes.map(strings.scopeName).join(', '),
            formatFullTime(key.created_at),
            key.last_used_at === null ? '' : formatFullTime(key.last_used_at),
            key.last_used_ip ?? '',
            key.expires_at === null ? '' : formatFullTime(key.expires_at),
            key.revoked_at === null ? '' : strings.revoked,
          ]}
          empty={
            <EmptyState icon={<KeyRound size={20} aria-hidden />} title={strings.noKeysYet}>
              {strings.noKeysYetHint}
            </EmptyState>
          }
        >
          {(key) => <KeyRow key={key.id} workspaceId={workspaceId} apiKey={key} />}
        </ListCard>
      </Section>
      {isOwner && <CreateKey workspaceId={workspaceId} />}
    </>
  );
}

function KeyRow({ workspaceId, apiKey }: SectionProps & { apiKey: ApiKey }) {
  const { id, name, prefix, last4, created_at, last_used_at, expires_at, revoked_at } = apiKey;
  const isOwner = useMay('manage');
  const revoke = useSettingsChange(workspaceId, (api, keyId: string) =>
    api.request('DELETE /api/ui/workspaces/{workspaceId}/api-keys/{keyId}', {
      params: { workspaceId, keyId },
    }),
  );
  const hasExpired = expires_at !== null && Date.parse(expires_at) <= Date.now();
  const hasEnded = revoked_at !== null || hasExpired;
  return (
    <ListRow
      title={
        <>
          <bdi className={hasEnded ? 'text-faint line-through' : ''}>{name}</bdi>
          <code className="font-mono text-xs font-normal text-faint">
            {prefix}…{last4}
          </code>
          <ModeTag mode={apiKey.mode} />
          {revoked_at !== null && <Tag>{strings.revoked}</Tag>}
          {revoked_at === null && hasExpired && <Tag>{strings.expired}</Tag>}
          {!hasEnded && !apiKey.scopes.includes(ALL_SCOPES) && <Tag>{strings.limited}</Tag>}
        </>
      }
      about={
        last_used_at === null
          ? strings.neverUsed(<Time at={created_at} />)
          : strings.lastUsed({
              created: <Time at={created_at} />,
              used: <Time at={last_used_at} />,
            })
      }
      below={!hasEnded && <KeyDetails apiKey={apiKey} />}
    >
      {isOwner && !hasEnded && <RotateButton workspaceId={workspaceId} apiKey={apiKey} />}
      {isOwner && revoked_at === null && (
        <ConfirmButton
          label={strings.revoke}
          ariaLabel={strings.revokeNamed(name)}
          title={strings.revokeQuestion(name)}
          onConfirm={() => revoke.mutateAsync(id)}
        >
          {strings.revokeExplained}
        </ConfirmButton>
      )}
    </ListRow>
  );
}

function ModeTag({ mode }: Pick<ApiKey, 'mode'>) {
  if (mode === 'live') return null;
  return (
    <span className="rounded-full bg-wait px-2 py-0.5 text-xs font-semibold text-surface">
      {strings.modeNames.test}
    </span>
  );
}

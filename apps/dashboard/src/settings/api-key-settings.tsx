import { useState } from 'react';
import * as strings from '#strings/api-keys';
import * as names from '#strings/names';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { formatFullTime } from '../ui/format.ts';
import { Time } from '../ui/time.tsx';
import { KeyRound } from '../ui/icons.ts';
import { EmptyState, FailureNotice } from '../ui/notice.tsx';
import { useShowOnce } from '../ui/once-shown.tsx';
import { readText } from '../ui/read-text.ts';
import { ConfirmButton } from './confirm-button.tsx';
import { ListCard, ListRow, Section, Tag } from './section.tsx';
import type { SectionProps } from './sections.ts';
import { useIsOwner } from './use-is-owner.ts';
import { useSettingsChange, useSettingsList } from './use-settings.ts';

export function ApiKeySettings({ workspaceId }: SectionProps) {
  const [page, setPage] = useState(1);
  const isOwner = useIsOwner(workspaceId);
  const keys = useSettingsList(workspaceId, 'api-keys', page, (api, options) =>
    api.request('GET /api/ui/workspaces/{workspaceId}/api-keys', options),
  );
  const revoke = useSettingsChange(workspaceId, (api, keyId: string) =>
    api.request('DELETE /api/ui/workspaces/{workspaceId}/api-keys/{keyId}', {
      params: { workspaceId, keyId },
    }),
  );
  return (
    <>
      <Section title={names.apiKeys} about={strings.apiKeysAbout}>
        <ListCard
          query={keys}
          count={strings.keyCount}
          onPage={setPage}
          toCells={({ name, prefix, last4, created_at, last_used_at, revoked_at }) => [
            name,
            `${prefix}…${last4}`,
            formatFullTime(created_at),
            last_used_at === null ? '' : formatFullTime(last_used_at),
            revoked_at === null ? '' : strings.revoked,
          ]}
          empty={
            <EmptyState icon={<KeyRound size={20} aria-hidden />} title={strings.noKeysYet}>
              {strings.noKeysYetHint}
            </EmptyState>
          }
        >
          {({ id, name, prefix, last4, created_at, last_used_at, revoked_at }) => (
            <ListRow
              key={id}
              title={
                <>
                  <bdi className={revoked_at === null ? '' : 'text-faint line-through'}>{name}</bdi>
                  <code className="font-mono text-xs font-normal text-faint">
                    {prefix}…{last4}
                  </code>
                  {revoked_at !== null && <Tag>{strings.revoked}</Tag>}
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
            >
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
          )}
        </ListCard>
      </Section>
      {isOwner && <CreateKey workspaceId={workspaceId} />}
    </>
  );
}

function CreateKey({ workspaceId }: SectionProps) {
  const showOnce = useShowOnce();
  const create = useSettingsChange(workspaceId, (api, name: string) =>
    api.request('POST /api/ui/workspaces/{workspaceId}/api-keys', {
      params: { workspaceId },
      body: { name },
    }),
  );
  return (
    <Section title={strings.createAKey}>
      <Form
        className="card space-y-4 p-4"
        error={create.error}
        onSubmit={(form) => {
          // A promise, because the key must be shown even if this form is no longer there.
          create.mutateAsync(readText(form, 'name')).then(
            ({ name, key }) => {
              form.reset();
              showOnce({
                kind: 'key',
                title: strings.key(name),
                warning: strings.copyKeyNow,
                value: key,
                copyLabel: strings.copyKey,
              });
            },
            // `create.error` shows the failure.
            () => undefined,
          );
        }}
      >
        <Field label={strings.name} name="name" hint={strings.nameHint}>
          {(control) => (
            <input {...control} dir="auto" required maxLength={100} className="field" />
          )}
        </Field>
        <FailureNotice error={create.error} />
        <Button type="submit" kind="primary" isBusy={create.isPending}>
          {strings.createKey}
        </Button>
      </Form>
    </Section>
  );
}

import type { CreatedApiKey } from '@switchboard/contracts';
import { useState } from 'react';
import * as actions from '#strings/actions';
import * as strings from '#strings/api-keys';
import * as names from '#strings/names';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { Time } from '../ui/time.tsx';
import { KeyRound } from '../ui/icons.ts';
import { EmptyState, FailureNotice, Notice } from '../ui/notice.tsx';
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
  const [created, setCreated] = useState<CreatedApiKey | null>(null);
  return (
    <>
      <Section title={names.apiKeys} about={strings.apiKeysAbout}>
        <ListCard
          query={keys}
          count={strings.keyCount}
          onPage={setPage}
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
      {isOwner && <CreateKey workspaceId={workspaceId} onCreated={setCreated} />}
      {created !== null && <CreatedKeyDialog created={created} onClose={() => setCreated(null)} />}
    </>
  );
}

function CreateKey(props: { workspaceId: string; onCreated(key: CreatedApiKey): void }) {
  const { workspaceId } = props;
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
          create.mutate(readText(form, 'name'), {
            onSuccess: (key) => {
              form.reset();
              props.onCreated(key);
            },
          });
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

function CreatedKeyDialog({ created, onClose }: { created: CreatedApiKey; onClose(): void }) {
  return (
    <Dialog title={strings.key(created.name)} onClose={onClose}>
      <div className="space-y-4">
        <Notice tone="wait">{strings.copyKeyNow}</Notice>
        <div className="flex items-center gap-2 rounded-lg bg-sunken p-3">
          <code data-key className="min-w-0 flex-1 font-mono [overflow-wrap:anywhere] select-all">
            {created.key}
          </code>
          <CopyButton text={created.key} label={strings.copyKey} />
        </div>
        <div className="flex justify-end">
          <Button kind="primary" onClick={onClose}>
            {actions.haveCopied}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

import type { CreatedApiKey } from '@switchboard/contracts';
import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { formatDay } from '../ui/format.ts';
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
      <Section
        title="API keys"
        about="Programs use a key to send messages, read the history and manage numbers. To replace a key, create a new one, switch to it, then revoke the old one."
      >
        <ListCard
          query={keys}
          one="key"
          onPage={setPage}
          empty={
            <EmptyState icon={<KeyRound size={20} aria-hidden />} title="No keys yet">
              A program needs a key to send messages.
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
                  {revoked_at !== null && <Tag>Revoked</Tag>}
                </>
              }
              about={
                <>
                  Created {formatDay(created_at)} ·{' '}
                  {last_used_at === null ? (
                    'never used'
                  ) : (
                    <>
                      last used <Time at={last_used_at} />
                    </>
                  )}
                </>
              }
            >
              {isOwner && revoked_at === null && (
                <ConfirmButton
                  label="Revoke"
                  ariaLabel={`Revoke ${name}`}
                  title={`Revoke “${name}”?`}
                  onConfirm={() => revoke.mutateAsync(id)}
                >
                  The key stops working immediately and can’t be restored. Programs that use it can
                  no longer send messages.
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
    <Section title="Create a key">
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
        <Field label="Name" name="name" hint="The program that will use it, for example Web shop.">
          {(control) => (
            <input {...control} dir="auto" required maxLength={100} className="field" />
          )}
        </Field>
        <FailureNotice error={create.error} />
        <Button type="submit" kind="primary" disabled={create.isPending}>
          Create key
        </Button>
      </Form>
    </Section>
  );
}

function CreatedKeyDialog({ created, onClose }: { created: CreatedApiKey; onClose(): void }) {
  return (
    <Dialog title={`The key “${created.name}”`} onClose={onClose}>
      <div className="space-y-4">
        <Notice tone="wait">Copy the key now. It is shown only once.</Notice>
        <div className="flex items-center gap-2 rounded-lg bg-sunken p-3">
          <code data-key className="min-w-0 flex-1 font-mono [overflow-wrap:anywhere] select-all">
            {created.key}
          </code>
          <CopyButton text={created.key} label="Copy key" />
        </div>
        <div className="flex justify-end">
          <Button kind="primary" onClick={onClose}>
            I have copied it
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

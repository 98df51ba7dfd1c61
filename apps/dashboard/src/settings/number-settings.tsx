import { useState } from 'react';
import { PhoneInput } from '../phone/phone-input.tsx';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { formatPhone } from '../phone/format-phone.ts';
import { formatDay, isolate } from '../ui/format.ts';
import { Phone } from '../ui/icons.ts';
import { EmptyState, FailureNotice, Notice } from '../ui/notice.tsx';
import { ConfirmButton } from './confirm-button.tsx';
import { ListCard, ListRow, Section, Tag } from './section.tsx';
import type { SectionProps } from './sections.ts';
import { useSettingsChange, useSettingsList } from './use-settings.ts';

export function NumberSettings({ workspaceId }: SectionProps) {
  const [page, setPage] = useState(1);
  const numbers = useSettingsList(workspaceId, 'numbers', page, (api, options) =>
    api.request('GET /api/ui/workspaces/{workspaceId}/numbers', options),
  );
  const makeDefault = useSettingsChange(workspaceId, (api, numberId: string) =>
    api.request('PATCH /api/ui/workspaces/{workspaceId}/numbers/{numberId}', {
      params: { workspaceId, numberId },
      body: { is_default: true },
    }),
  );
  const remove = useSettingsChange(workspaceId, (api, numberId: string) =>
    api.request('DELETE /api/ui/workspaces/{workspaceId}/numbers/{numberId}', {
      params: { workspaceId, numberId },
    }),
  );
  return (
    <>
      <Section
        title="Numbers"
        about="The numbers that messages are sent from. A message without a sender uses the default number."
      >
        <ListCard
          query={numbers}
          one="number"
          onPage={setPage}
          empty={
            <EmptyState icon={<Phone size={20} aria-hidden />} title="No numbers yet">
              Add a number that your provider account owns.
            </EmptyState>
          }
        >
          {({ id, number, label, is_default, capabilities, created_at, inbound_wired }) => (
            <ListRow
              key={id}
              title={
                <>
                  <span className="tabular-nums">{formatPhone(number)}</span>
                  {is_default && <Tag>Default</Tag>}
                  {!inbound_wired && <Tag>Inbound not configured</Tag>}
                </>
              }
              about={[
                label === '' ? '' : isolate(label),
                capabilities.join(', ').toUpperCase(),
                `added ${formatDay(created_at)}`,
              ]
                .filter((part) => part !== '')
                .join(' · ')}
            >
              {!is_default && (
                <Button
                  size="small"
                  disabled={makeDefault.isPending}
                  aria-label={`Make ${number} the default`}
                  onClick={() => makeDefault.mutate(id)}
                >
                  Make default
                </Button>
              )}
              <ConfirmButton
                label="Remove"
                ariaLabel={`Remove ${number}`}
                title={`Remove ${formatPhone(number)}?`}
                onConfirm={() => remove.mutateAsync(id)}
              >
                This workspace can no longer send messages from it. The history is kept, and you
                keep the number at the provider.
              </ConfirmButton>
            </ListRow>
          )}
        </ListCard>
        {numbers.data?.data.some((number) => !number.inbound_wired) && (
          <div className="mt-3">
            <Notice tone="wait">
              Messages to a number marked “Inbound not configured” may not arrive here. Verify the
              provider to have them sent here. The provider account must own the number.
            </Notice>
          </div>
        )}
        <FailureNotice error={makeDefault.error} />
      </Section>
      <AddNumber workspaceId={workspaceId} />
    </>
  );
}

function AddNumber({ workspaceId }: SectionProps) {
  const [number, setNumber] = useState('');
  const [label, setLabel] = useState('');
  const [round, setRound] = useState(0);
  const add = useSettingsChange(workspaceId, (api, body: { number: string; label: string }) =>
    api.request('POST /api/ui/workspaces/{workspaceId}/numbers', { params: { workspaceId }, body }),
  );
  return (
    <Section title="Add a number">
      <Form
        className="card space-y-4 p-4"
        error={add.error}
        onSubmit={() => {
          add.mutate(
            { number, label },
            {
              onSuccess: () => {
                setLabel('');
                setNumber('');
                setRound((last) => last + 1);
              },
            },
          );
        }}
      >
        <div className="grid gap-4 sm:grid-cols-2">
          <PhoneInput
            key={round}
            label="Number"
            name="number"
            value={number}
            onChange={setNumber}
          />
          <Field label="Label (optional)" name="label" hint="Shown only here, for example Support.">
            {(control) => (
              <input
                {...control}
                dir="auto"
                className="field"
                maxLength={100}
                value={label}
                onChange={(event) => setLabel(event.target.value)}
              />
            )}
          </Field>
        </div>
        <FailureNotice error={add.error} />
        {add.data !== undefined &&
          (add.data.inbound_wired ? (
            <Notice tone="good">
              {formatPhone(add.data.number)} is ready. Messages to it appear here.
            </Notice>
          ) : (
            <Notice tone="wait">
              {formatPhone(add.data.number)} is added, but messages to it will not arrive here: the
              provider account does not own it, or no provider is connected.
            </Notice>
          ))}
        <Button type="submit" kind="primary" disabled={add.isPending}>
          Add number
        </Button>
      </Form>
    </Section>
  );
}

import type { ProviderAccount } from '@switchboard/contracts';
import { useState } from 'react';
import * as strings from '#strings/numbers';
import { formatPhone } from '../phone/format-phone.ts';
import { PhoneInput } from '../phone/phone-input.tsx';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { FailureNotice, Notice } from '../ui/notice.tsx';
import { readText } from '../ui/read-text.ts';
import { AccountSelect } from './providers/account-select.tsx';
import { Section } from './section.tsx';
import type { SectionProps } from './sections.ts';
import { useSettingsChange } from './use-settings.ts';

/** Adds a number, or another sender, of one of the accounts. */
export function AddNumber(props: SectionProps & { accounts: readonly ProviderAccount[] }) {
  const { workspaceId, accounts } = props;
  const [isPhone, setPhone] = useState(true);
  const [number, setNumber] = useState('');
  const [label, setLabel] = useState('');
  const [formKey, setFormKey] = useState(0);
  const add = useSettingsChange(
    workspaceId,
    (api, body: { number: string; label: string; provider_id?: string }) =>
      api.request('POST /api/ui/workspaces/{workspaceId}/numbers', {
        params: { workspaceId },
        body,
      }),
  );
  return (
    <Section title={strings.addANumber}>
      <Form
        className="card space-y-4 p-4"
        error={add.error}
        onSubmit={(form) => {
          const providerId = readText(form, 'provider_id');
          add.mutate(
            { number: number.trim(), label, ...(providerId !== '' && { provider_id: providerId }) },
            {
              onSuccess: () => {
                setLabel('');
                setNumber('');
                setFormKey((last) => last + 1);
              },
            },
          );
        }}
      >
        <div className="grid gap-4 sm:grid-cols-2">
          {isPhone ? (
            <PhoneInput
              key={formKey}
              label={strings.number}
              name="number"
              value={number}
              onChange={setNumber}
            />
          ) : (
            <Field
              label={strings.shortCodeOrSenderId}
              name="sender"
              hint={strings.shortCodeOrSenderIdHint}
            >
              {(control) => (
                <input
                  {...control}
                  required
                  maxLength={11}
                  pattern="\d{3,8}|(?=.*[A-Za-z])[A-Za-z0-9][A-Za-z0-9 &._\-]{0,10}"
                  className="field"
                  value={number}
                  onChange={({ target }) => setNumber(target.value)}
                />
              )}
            </Field>
          )}
          <Field label={strings.labelOptional} name="label" hint={strings.labelOptionalHint}>
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
          {accounts.length > 1 && (
            <Field label={strings.providerAccount} name="provider_id">
              {(control) => (
                <AccountSelect
                  {...control}
                  className="field"
                  accounts={accounts}
                  defaultValue={accounts.find(({ is_default }) => is_default)?.id}
                />
              )}
            </Field>
          )}
        </div>
        <label className="flex items-center gap-2">
          <input
            type="checkbox"
            className="accent-accent"
            checked={!isPhone}
            onChange={({ target }) => {
              setPhone(!target.checked);
              setNumber('');
            }}
          />
          {strings.isSender}
        </label>
        <FailureNotice error={add.error} />
        {add.data !== undefined &&
          (add.data.inbound_wired || add.data.kind === 'alphanumeric' ? (
            <Notice tone="good">
              {(add.data.inbound_wired ? strings.readyForBoth : strings.ready)(
                formatPhone(add.data.number),
              )}
            </Notice>
          ) : (
            <Notice tone="wait">{strings.addedWithoutInbound(formatPhone(add.data.number))}</Notice>
          ))}
        <Button type="submit" kind="primary" isBusy={add.isPending}>
          {strings.addNumber}
        </Button>
      </Form>
    </Section>
  );
}

import type { ProviderAccount } from '@switchboard/contracts';
import type { CredentialField, CredentialForm, VendorForm } from '@switchboard/providers/forms';
import { useState } from 'react';
import * as actions from '#strings/actions';
import * as strings from '#strings/providers';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { FailureNotice } from '../../ui/notice.tsx';
import { readText } from '../../ui/read-text.ts';
import { CountryField } from '../country-field.tsx';
import { UnknownOutcomeField } from '../unknown-outcome-field.tsx';
import { isSecret, readCredential } from './credential-field.ts';
import { CredentialInput } from './credential-input.tsx';
import { VendorSteps } from './vendor-steps.tsx';

export interface AccountInput {
  name: string;
  on_unknown: ProviderAccount['on_unknown'];
  country: string | null;
  /** Undefined if the stored credentials are kept. */
  credentials: Record<string, unknown> | undefined;
}

/** The fields of a provider account, new or existing. */
export function AccountForm(props: {
  vendor: VendorForm;
  current: ProviderAccount | null;
  error: unknown;
  isPending: boolean;
  submitLabel: string;
  pendingLabel?: string;
  onSubmit(input: AccountInput, form: HTMLFormElement): void;
  onCancel?(): void;
}) {
  const { vendor, current, error, isPending } = props;
  const [chosen, setChosen] = useState(0);
  const form = current === null ? vendor.forms?.add[chosen] : vendor.forms?.change;
  const fields: readonly CredentialField[] = form?.fields ?? vendor.fields;
  const basic = fields.filter(({ isAdvanced }) => isAdvanced !== true);
  const advanced = fields.filter(({ isAdvanced }) => isAdvanced === true);
  return (
    <Form
      className="space-y-4"
      error={error}
      onSubmit={(element) =>
        props.onSubmit(
          {
            name: readText(element, 'name'),
            on_unknown: readText(element, 'on_unknown') as ProviderAccount['on_unknown'],
            country: readText(element, 'country') || null,
            credentials: readCredentials(element, props, form),
          },
          element,
        )
      }
    >
      {current === null && <VendorSteps vendor={vendor} />}
      {vendor.forms !== undefined && current === null && (
        <Field label={strings.kindOfGateway} name="kind">
          {(control) => (
            <select
              {...control}
              className="field"
              value={chosen}
              onChange={({ target }) => setChosen(Number(target.value))}
            >
              {vendor.forms?.add.map(({ name }, index) => (
                <option key={name} value={index}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      {form !== undefined && <p className="text-soft">{form.about}</p>}
      {form !== undefined && current !== null && <Description of={current.credentials} />}
      <Field label={strings.nameOptional} name="name" hint={strings.nameOptionalHint}>
        {(control) => (
          <input
            {...control}
            dir="auto"
            maxLength={100}
            defaultValue={current?.name}
            className="field"
          />
        )}
      </Field>
      {basic.map((field) => (
        <CredentialInput
          key={`${form?.name} ${field.name}`}
          field={field}
          stored={current?.credentials}
        />
      ))}
      {advanced.length > 0 && (
        <details>
          <summary className="mb-3 cursor-pointer font-medium text-soft">
            {strings.moreSettings}
          </summary>
          <div className="space-y-4">
            {advanced.map((field) => (
              <CredentialInput key={field.name} field={field} stored={current?.credentials} />
            ))}
          </div>
        </details>
      )}
      <CountryField
        defaultValue={current?.country ?? null}
        hint={strings.countryOfAccountHint}
        none={strings.countryOfWorkspace}
      />
      <UnknownOutcomeField
        current={current?.on_unknown}
        {...(vendor.isWithoutEvidence && { isWithoutEvidence: true })}
      />
      <FailureNotice error={error} />
      <div className="flex gap-2">
        <Button type="submit" kind="primary" disabled={isPending}>
          {isPending ? (props.pendingLabel ?? actions.saving) : props.submitLabel}
        </Button>
        {props.onCancel !== undefined && (
          <Button kind="quiet" onClick={props.onCancel}>
            {actions.cancel}
          </Button>
        )}
      </div>
    </Form>
  );
}

/** The stored credentials as the API shows them, for forms without a field for each of them. */
function Description({ of: credentials }: { of: ProviderAccount['credentials'] }) {
  return (
    <dl className="max-h-48 overflow-y-auto font-mono text-xs [overflow-wrap:anywhere]">
      {Object.entries(credentials).map(([name, value]) => (
        <div key={name} className="flex gap-2">
          <dt className="text-faint">{name}</dt>
          <dd>{value ?? '–'}</dd>
        </div>
      ))}
    </dl>
  );
}

function readCredentials(
  element: HTMLFormElement,
  { vendor, current }: { vendor: VendorForm; current: ProviderAccount | null },
  form: CredentialForm | undefined,
): Record<string, unknown> | undefined {
  const data = new FormData(element);
  const given = (form ?? vendor).fields.flatMap((field) => {
    const value = readCredential(data, field);
    return value === null ? [] : [{ field, value }];
  });
  const values = Object.fromEntries(given.map(({ field, value }) => [field.name, value]));
  if (form !== undefined) return form.toCredentials(values);
  if (vendor.keepsSecrets) return values;
  // The API replaces credentials as a whole.
  if (current !== null && !given.some(({ field }) => isSecret(field))) return undefined;
  return values;
}

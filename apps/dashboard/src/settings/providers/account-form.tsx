import type { ProviderAccount } from '@switchboard/contracts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { FailureNotice } from '../../ui/notice.tsx';
import { readText } from '../../ui/read-text.ts';
import { UnknownOutcomeField } from '../unknown-outcome-field.tsx';
import { type CredentialValue, isSecret, readCredential } from './credential-field.ts';
import { CredentialInput } from './credential-input.tsx';
import type { Vendor } from './vendors.ts';

export interface AccountInput {
  name: string;
  on_unknown: ProviderAccount['on_unknown'];
  /** Undefined: the stored credentials stay. */
  credentials: Record<string, CredentialValue> | undefined;
}

/** The fields of a provider account, new or existing. */
export function AccountForm(props: {
  vendor: Vendor;
  current: ProviderAccount | null;
  error: unknown;
  isPending: boolean;
  submitLabel: string;
  onSubmit(input: AccountInput, form: HTMLFormElement): void;
  onCancel?(): void;
}) {
  const { vendor, current, error, isPending } = props;
  const basic = vendor.fields.filter(({ isAdvanced }) => isAdvanced !== true);
  const advanced = vendor.fields.filter(({ isAdvanced }) => isAdvanced === true);
  return (
    <Form
      className="space-y-4"
      error={error}
      onSubmit={(form) =>
        props.onSubmit(
          {
            name: readText(form, 'name'),
            on_unknown: readText(form, 'on_unknown') as ProviderAccount['on_unknown'],
            credentials: readCredentials(form, props),
          },
          form,
        )
      }
    >
      <p className="text-soft">{vendor.about}</p>
      <Field label="Name (optional)" name="name" hint="Shown only here, for example Backup.">
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
        <CredentialInput key={field.name} field={field} stored={current?.credentials} />
      ))}
      {advanced.length > 0 && (
        <details>
          <summary className="mb-3 cursor-pointer font-medium text-soft">More settings</summary>
          <div className="space-y-4">
            {advanced.map((field) => (
              <CredentialInput key={field.name} field={field} stored={current?.credentials} />
            ))}
          </div>
        </details>
      )}
      <UnknownOutcomeField
        current={current?.on_unknown}
        {...(vendor.isWithoutEvidence && { isWithoutEvidence: true })}
      />
      <FailureNotice error={error} />
      <div className="flex gap-2">
        <Button type="submit" kind="primary" disabled={isPending}>
          {isPending ? 'Saving…' : props.submitLabel}
        </Button>
        {props.onCancel !== undefined && (
          <Button kind="quiet" onClick={props.onCancel}>
            Cancel
          </Button>
        )}
      </div>
    </Form>
  );
}

function readCredentials(
  form: HTMLFormElement,
  { vendor, current }: { vendor: Vendor; current: ProviderAccount | null },
): Record<string, CredentialValue> | undefined {
  const data = new FormData(form);
  const given = vendor.fields.flatMap((field) => {
    const value = readCredential(data, field);
    return value === null ? [] : [{ field, value }];
  });
  // The API replaces credentials as a whole.
  if (current !== null && !given.some(({ field }) => isSecret(field))) return undefined;
  return Object.fromEntries(given.map(({ field, value }) => [field.name, value]));
}

import type { ProviderAccount } from '@switchboard/contracts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { FailureNotice } from '../../ui/notice.tsx';
import { readText } from '../../ui/read-text.ts';
import { UnknownOutcomeField } from '../unknown-outcome-field.tsx';
import type { Vendor } from './vendors.ts';

export interface AccountInput {
  name: string;
  on_unknown: ProviderAccount['on_unknown'];
  /** Undefined: the stored credentials stay. */
  credentials: Record<string, string> | undefined;
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
      {vendor.fields.map(({ name, label, hint, isSecret, isOptional, isLong }) => (
        <Field
          key={name}
          label={label}
          name={name}
          hint={isSecret && current !== null ? 'Leave empty to keep the credentials.' : hint}
        >
          {(control) => {
            const isRequired = isOptional !== true && !(isSecret && current !== null);
            if (isLong) {
              return (
                <textarea
                  {...control}
                  required={isRequired}
                  rows={4}
                  autoComplete="off"
                  spellCheck={false}
                  className="field font-mono text-xs"
                />
              );
            }
            return (
              <input
                {...control}
                type={isSecret ? 'password' : 'text'}
                required={isRequired}
                autoComplete="off"
                spellCheck={false}
                defaultValue={isSecret ? '' : (current?.credentials[name] ?? '')}
                className="field font-mono"
              />
            );
          }}
        </Field>
      ))}
      <UnknownOutcomeField current={current?.on_unknown} />
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
): Record<string, string> | undefined {
  const given = vendor.fields
    .map((field) => ({ ...field, value: readText(form, field.name) }))
    .filter(({ value }) => value !== '');
  // The API replaces credentials as a whole.
  if (current !== null && !given.some(({ isSecret }) => isSecret)) return undefined;
  return Object.fromEntries(given.map(({ name, value }) => [name, value]));
}

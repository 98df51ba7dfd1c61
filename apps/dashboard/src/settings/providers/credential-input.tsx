import type { ProviderAccount } from '@switchboard/contracts';
import type { CredentialField } from '@switchboard/providers/forms';
import * as strings from '#strings/providers';
import { Field } from '../../ui/field.tsx';
import { isSecret } from './credential-field.ts';

type StoredValue = ProviderAccount['credentials'][string] | undefined;

/** One field of the credentials, with the stored value of an existing account. */
export function CredentialInput(props: {
  field: CredentialField;
  /** Undefined for a new account. */
  stored: ProviderAccount['credentials'] | undefined;
}) {
  const { field, stored } = props;
  const isKept = isSecret(field) && stored !== undefined;
  return (
    <Field
      label={field.label}
      name={field.name}
      hint={isKept ? strings.keepCredentials : field.hint}
    >
      {(attributes) => (
        <Control
          field={field}
          attributes={{ ...attributes, required: field.isOptional !== true && !isKept }}
          value={stored?.[field.name]}
        />
      )}
    </Field>
  );
}

function Control(props: {
  field: CredentialField;
  attributes: { id: string; name: string | undefined; required: boolean };
  value: StoredValue;
}) {
  const { field, attributes, value } = props;
  switch (field.kind) {
    case 'number':
      return (
        <input
          {...attributes}
          type="number"
          min={field.min}
          max={field.max}
          defaultValue={typeof value === 'number' ? value : field.initial}
          className="field"
        />
      );
    case 'choice':
      return (
        <select
          {...attributes}
          defaultValue={typeof value === 'string' ? value : field.choices[0]?.[0]}
          className="field"
        >
          {field.choices.map(([choice, label]) => (
            <option key={choice} value={choice}>
              {label}
            </option>
          ))}
        </select>
      );
    case 'switch':
      return (
        <input
          {...attributes}
          required={false}
          type="checkbox"
          defaultChecked={typeof value === 'boolean' ? value : field.initial}
          className="block accent-accent"
        />
      );
    default:
      return field.isLong === true ? (
        <textarea
          {...attributes}
          rows={field.isJson === true ? 12 : 4}
          autoComplete="off"
          spellCheck={false}
          defaultValue={field.initial}
          onInput={({ currentTarget }) => {
            const isWrong = field.isJson === true && !isJsonObject(currentTarget.value);
            currentTarget.setCustomValidity(isWrong ? strings.enterJsonObject : '');
          }}
          className="field font-mono text-xs"
        />
      ) : (
        <input
          {...attributes}
          type={field.isSecret === true ? 'password' : 'text'}
          autoComplete="off"
          spellCheck={false}
          defaultValue={typeof value === 'string' && field.isSecret !== true ? value : ''}
          className="field font-mono"
        />
      );
  }
}

function isJsonObject(text: string): boolean {
  if (text.trim() === '') return true;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

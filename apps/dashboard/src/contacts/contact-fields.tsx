import { CONTACT_LIMITS } from '@switchboard/contracts';
import * as strings from '#strings/contacts';
import { Button } from '../ui/button.tsx';
import { X } from '../ui/icons.ts';
import type { ContactDraft } from './contact-draft.ts';

type Fields = ContactDraft['fields'];

/** Edits the names and values of a contact’s own fields. */
export function ContactFields(props: { fields: Fields; onChange(fields: Fields): void }) {
  const { fields, onChange } = props;
  if (fields.length === 0) return null;
  return (
    <fieldset>
      <legend className="mb-1 font-medium text-soft">{strings.fields}</legend>
      <ul className="space-y-2">
        {fields.map(([name, value], index) => (
          <li key={index} className="flex gap-2">
            <input
              aria-label={strings.nameOfField(index + 1)}
              className="field max-w-36 max-sm:max-w-24"
              dir="auto"
              placeholder={strings.nameOfFieldExample}
              autoFocus={name === ''}
              maxLength={CONTACT_LIMITS.fieldNameCharacters}
              value={name}
              onChange={(event) => onChange(fields.with(index, [event.target.value, value]))}
            />
            <input
              aria-label={strings.valueOfField(index + 1)}
              className="field min-w-0 flex-1"
              dir="auto"
              placeholder={strings.valueOfFieldExample}
              maxLength={CONTACT_LIMITS.fieldCharacters}
              value={value}
              onChange={(event) => onChange(fields.with(index, [name, event.target.value]))}
            />
            <Button
              kind="quiet"
              size="icon"
              aria-label={strings.removeField(index + 1)}
              onClick={() => onChange(fields.filter((_, other) => other !== index))}
            >
              <X size={16} aria-hidden />
            </Button>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

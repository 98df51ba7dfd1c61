import { CONTACT_LIMITS } from '@switchboard/contracts';
import * as strings from '#strings/contacts';
import { PhoneInput } from '../phone/phone-input.tsx';
import { Button } from '../ui/button.tsx';
import { Plus, X } from '../ui/icons.ts';
import type { DraftNumber } from './contact-draft.ts';

/** Edits the numbers that a contact has besides its main number. */
export function ContactNumbers(props: {
  numbers: readonly DraftNumber[];
  onChange(numbers: readonly DraftNumber[]): void;
}) {
  const { numbers, onChange } = props;
  return (
    <>
      {numbers.map(({ key, number }, index) => (
        <div key={key} className="flex items-start gap-2">
          <div className="min-w-0 flex-1">
            <PhoneInput
              label={strings.otherNumber(index + 1)}
              name={`other_numbers[${index}]`}
              value={number}
              onChange={(changed) => onChange(numbers.with(index, { key, number: changed }))}
            />
          </div>
          <Button
            kind="quiet"
            size="icon"
            className="mt-6"
            aria-label={strings.removeOtherNumber(index + 1)}
            onClick={() => onChange(numbers.filter((each) => each.key !== key))}
          >
            <X size={16} aria-hidden />
          </Button>
        </div>
      ))}
      {numbers.length < CONTACT_LIMITS.otherNumbers && (
        <Button
          size="small"
          kind="quiet"
          className="-ml-2.5"
          onClick={() => onChange([...numbers, { key: crypto.randomUUID(), number: '' }])}
        >
          <Plus size={14} aria-hidden />
          {strings.addANumber}
        </Button>
      )}
    </>
  );
}

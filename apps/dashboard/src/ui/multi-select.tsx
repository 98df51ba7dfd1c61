import { useId } from 'react';
import * as strings from '#strings/ui';
import { DropDown } from './drop-down.tsx';
import { ChevronsUpDown } from './icons.ts';

interface Option {
  value: string;
  label: string;
}

/**
 * A button that shows the chosen options, and opens a list of checkboxes. If none is chosen, all
 * match.
 */
export function MultiSelect(props: {
  label: string;
  className: string;
  options: readonly Option[];
  values: readonly string[];
  onOpen?(): void;
  onChange(values: string[]): void;
}) {
  const { label, options, values, onChange, onOpen } = props;
  const id = useId();
  const [first, ...others] = options.filter(({ value }) => values.includes(value));
  const summary = first === undefined ? strings.any : first.label;
  return (
    <div className={`min-w-0 ${props.className}`}>
      <span id={`${id}-label`} className="mb-0.5 block text-xs font-medium text-faint">
        {label}
      </span>
      <DropDown
        id={`${id}-list`}
        className="relative"
        contentClass="left-0 w-56"
        labelledBy={`${id}-label`}
        {...(onOpen && { onOpen })}
        button={(attributes) => (
          <button
            {...attributes}
            id={id}
            type="button"
            aria-labelledby={`${id}-label ${id}`}
            className="field flex h-9 items-center gap-1 px-2 py-1 text-left text-[0.8125rem]"
          >
            <span dir="auto" className="min-w-0 flex-1 truncate">
              {others.length === 0 ? summary : `${summary} + ${others.length}`}
            </span>
            <ChevronsUpDown size={14} aria-hidden className="shrink-0 text-faint" />
          </button>
        )}
      >
        {options.map(({ value, label: text }) => (
          <label
            key={value}
            className="flex min-h-8 items-center gap-2 rounded-lg px-2 py-1 hover:bg-sunken"
          >
            <input
              type="checkbox"
              className="size-4 shrink-0 accent-(--accent)"
              checked={values.includes(value)}
              onChange={({ target }) =>
                onChange(
                  target.checked ? [...values, value] : values.filter((other) => other !== value),
                )
              }
            />
            <span dir="auto" className="min-w-0 flex-1 truncate">
              {text}
            </span>
          </label>
        ))}
        {options.length === 0 && <p className="px-2 py-1 text-soft">{strings.noOptions}</p>}
      </DropDown>
    </div>
  );
}

import { useEffect, useId, useRef, useState } from 'react';
import { ChevronsUpDown } from './icons.ts';

interface Option {
  value: string;
  label: string;
  note?: string;
}

/** A button that shows the chosen options, and opens a list of them to check. None chosen means any. */
export function MultiSelect(props: {
  label: string;
  className: string;
  options: readonly Option[];
  values: readonly string[];
  onOpen?(): void;
  onChange(values: string[]): void;
}) {
  const { label, options, values, onChange } = props;
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    if (!isOpen) return undefined;
    const onPointerDown = ({ target }: PointerEvent): void => {
      if (!(target instanceof Node && root.current?.contains(target))) setOpen(false);
    };
    document.addEventListener('pointerdown', onPointerDown);
    return () => document.removeEventListener('pointerdown', onPointerDown);
  }, [isOpen]);

  const chosen = options.filter(({ value }) => values.includes(value));
  const [first] = chosen;
  return (
    <div
      ref={root}
      className={`relative ${props.className}`}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen) return;
        // Escape also closes what is behind the list.
        event.preventDefault();
        event.stopPropagation();
        setOpen(false);
        button.current?.focus();
      }}
      onBlur={({ relatedTarget, currentTarget }) => {
        if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) setOpen(false);
      }}
    >
      <span id={`${id}-label`} className="mb-0.5 block text-xs font-medium text-faint">
        {label}
      </span>
      <button
        ref={button}
        id={id}
        type="button"
        aria-labelledby={`${id}-label ${id}`}
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        className="field flex h-9 items-center gap-1 py-1 text-left"
        onClick={() => {
          if (!isOpen) props.onOpen?.();
          setOpen(!isOpen);
        }}
      >
        <span dir="auto" className="min-w-0 flex-1 truncate">
          {first === undefined
            ? 'Any'
            : chosen.length === 1
              ? first.label
              : `${first.label} + ${chosen.length - 1}`}
        </span>
        <ChevronsUpDown size={14} aria-hidden className="shrink-0 text-faint" />
      </button>
      <div
        id={`${id}-list`}
        role="group"
        aria-labelledby={`${id}-label`}
        hidden={!isOpen}
        className="scroller absolute top-full left-0 z-20 mt-1 max-h-72 w-56 max-w-[calc(100vw-2rem)] rounded-xl border border-line bg-surface p-1.5 shadow-float"
      >
        {options.map(({ value, label: text, note }) => (
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
            {note !== undefined && <span className="text-xs text-faint">{note}</span>}
          </label>
        ))}
        {options.length === 0 && <p className="px-2 py-1 text-soft">Nothing to choose.</p>}
      </div>
    </div>
  );
}

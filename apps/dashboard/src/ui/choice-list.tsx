import { type ReactNode, useEffect, useRef } from 'react';
import * as actions from '#strings/actions';
import type { Choice } from './use-choice.ts';

/** The items to choose from, above or below the text field. */
export function ChoiceList(props: {
  choice: Choice;
  side?: 'above' | 'below';
  /** Shown instead of the items if there are none. */
  empty?: ReactNode;
}) {
  const { choice, side = 'above', empty } = props;
  const { label, items, isLoading, selected, listId, optionId, choose } = choice;
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[selected]?.scrollIntoView({ block: 'nearest' });
  }, [selected]);
  return (
    <div
      className={`absolute inset-x-0 z-10 max-h-72 overflow-y-auto rounded-lg border border-line bg-surface py-1 shadow-float ${side === 'above' ? 'bottom-full mb-1' : 'top-full mt-1'}`}
    >
      <div ref={list} id={listId} role="listbox" aria-label={label}>
        {items.map((item, index) => (
          <div
            key={item.id}
            id={optionId(index)}
            role="option"
            tabIndex={-1}
            aria-selected={index === selected}
            className="cursor-pointer px-3 py-1.5 aria-selected:bg-accent-soft"
            // Pressing the pointer would take the focus from the text field.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => choose(item)}
          >
            <bdi className="block truncate font-medium">{item.title}</bdi>
            <span dir="auto" className="block truncate text-[0.8125rem] text-soft">
              {item.about}
            </span>
          </div>
        ))}
      </div>
      {items.length === 0 && (
        <p role="status" className="px-3 py-1.5 text-soft">
          {isLoading ? actions.loading : empty}
        </p>
      )}
    </div>
  );
}

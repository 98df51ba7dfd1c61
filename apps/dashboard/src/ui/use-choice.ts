import { type KeyboardEvent, useId, useState } from 'react';
import { readKey } from './read-key.ts';

export interface ChoiceItem {
  id: string;
  title: string;
  about?: string;
}

/**
 * A list for a text field whose items are chosen with the keyboard. The focus stays in the field.
 */
export interface Choice<Item extends ChoiceItem = ChoiceItem> {
  isOpen: boolean;
  label: string;
  items: readonly Item[];
  isLoading: boolean;
  selected: number;
  listId: string;
  optionId(index: number): string;
  choose(item: Item): void;
  /** Handles a key for the list. Returns whether the list used the key. */
  onKeyDown(event: KeyboardEvent): boolean;
}

/**
 * @param options.text the text of the field. A list that Escape has closed stays closed until the
 * text changes.
 */
export function useChoice<Item extends ChoiceItem>(options: {
  label: string;
  isOpen: boolean;
  text: string;
  items: readonly Item[];
  isLoading: boolean;
  onChoose(item: Item): void;
}): Choice<Item> {
  const { label, text, items, isLoading } = options;
  const listId = useId();
  const [selected, setSelected] = useState(0);
  /** The text for which the user has closed the list. */
  const [dismissed, setDismissed] = useState<string | null>(null);
  const isOpen = options.isOpen && dismissed !== text;
  const at = Math.min(selected, Math.max(0, items.length - 1));

  function choose(item: Item): void {
    setSelected(0);
    options.onChoose(item);
  }

  return {
    isOpen,
    label,
    items,
    isLoading,
    selected: at,
    listId,
    optionId: (index) => `${listId}-${index}`,
    choose,
    onKeyDown(event) {
      const key = readKey(event);
      if (!isOpen || key === null) return false;
      const item = items[at];
      switch (key) {
        case 'ArrowDown':
          setSelected((at + 1) % Math.max(1, items.length));
          break;
        case 'ArrowUp':
          setSelected((at + items.length - 1) % Math.max(1, items.length));
          break;
        case 'Enter':
        case 'Tab':
          // If there is no result, Tab leaves the field. While results load, Enter sends nothing.
          if (isLoading) break;
          if (item === undefined) return false;
          choose(item);
          break;
        case 'Escape':
          setDismissed(text);
          break;
        default:
          setSelected(0);
          return false;
      }
      event.preventDefault();
      return true;
    },
  };
}

/** The attributes of the text field above a list. */
export function describeChoice(choice: Choice) {
  const { isOpen, items, listId, optionId, selected } = choice;
  return {
    'aria-autocomplete': 'list',
    'aria-haspopup': 'listbox',
    'aria-controls': isOpen ? listId : undefined,
    'aria-activedescendant': isOpen && items.length > 0 ? optionId(selected) : undefined,
  } as const;
}

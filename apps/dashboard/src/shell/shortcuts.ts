import { createPreference, usePreference } from '../ui/preference.ts';

interface Shortcut {
  /** The value of `KeyboardEvent.key`. */
  key: string;
  /** What it does, as shown in the help. */
  what: string;
}

/** Every shortcut, in the groups and the order of the help. Views handle them by name. */
const GROUPS = {
  'On every page': {
    search: { key: '/', what: 'Search; in a reply, insert a saved reply' },
    compose: { key: 'c', what: 'Write a message' },
    help: { key: '?', what: 'Show this help' },
  },
  'In lists': {
    next: { key: 'j', what: 'Next message or conversation' },
    previous: { key: 'k', what: 'Previous message or conversation' },
    open: { key: 'Enter', what: 'Open it' },
    close: { key: 'Escape', what: 'Close it or a dialog' },
    filter: { key: 'f', what: 'Go to the filters' },
    showNew: { key: '.', what: 'Show what is new' },
  },
  'In a conversation': {
    reply: { key: 'r', what: 'Write a reply' },
    note: { key: 'n', what: 'Write a note' },
    assignToMe: { key: 'i', what: 'Assign it to me' },
    assign: { key: 'a', what: 'Assign it to someone' },
    toggleState: { key: 'e', what: 'Close or reopen it' },
    markUnread: { key: 'u', what: 'Mark it as unread' },
    contact: { key: 'p', what: 'Show the contact' },
  },
} as const satisfies Record<string, Record<string, Shortcut>>;

type Groups = typeof GROUPS;
export type ShortcutName = { [Group in keyof Groups]: keyof Groups[Group] }[keyof Groups];

/** The groups of the help. */
export const SHORTCUT_GROUPS: readonly (readonly [string, Readonly<Record<string, Shortcut>>])[] =
  Object.entries(GROUPS);

const BY_NAME: Readonly<Record<ShortcutName, Shortcut>> = {
  ...GROUPS['On every page'],
  ...GROUPS['In lists'],
  ...GROUPS['In a conversation'],
};

/** Whether keys without a modifier do anything (WCAG 2.1.4). Escape and Enter always do. */
export const singleKeys = createPreference('single-key-shortcuts', ['on', 'off']);

const isAlwaysOn = (key: string): boolean => key.length > 1;

/** Returns the shortcut of a key, among these. */
export function findShortcut(key: string, names: readonly ShortcutName[]): ShortcutName | null {
  if (singleKeys.get() === 'off' && !isAlwaysOn(key)) return null;
  return names.find((name) => BY_NAME[name].key === key) ?? null;
}

/** The key for a hint next to a control; undefined while shortcuts are turned off. */
export function useShortcutKey(name: ShortcutName): string | undefined {
  return usePreference(singleKeys) === 'on' ? BY_NAME[name].key : undefined;
}

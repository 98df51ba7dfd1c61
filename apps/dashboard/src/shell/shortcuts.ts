import * as names from '#strings/names';
import * as strings from '#strings/shell';

import { createPreference, usePreference } from '../ui/preference.ts';

interface Shortcut {
  /** The value of `KeyboardEvent.key`. */
  key: string;
  /** What the shortcut does, as shown in the help. */
  what: string;
}

/** Every shortcut, in the groups and the order of the help. Views handle them by name. */
const GROUPS = {
  everyPage: {
    search: { key: '/', what: strings.searchShortcut },
    compose: { key: 'c', what: names.writeMessage },
    help: { key: '?', what: strings.showThisHelp },
  },
  lists: {
    next: { key: 'j', what: strings.nextMessageOrConversation },
    previous: { key: 'k', what: strings.previousMessageOrConversation },
    open: { key: 'Enter', what: strings.openSelected },
    close: { key: 'Escape', what: strings.closeOpen },
    filter: { key: 'f', what: strings.goToFilters },
    showNew: { key: '.', what: strings.showNew },
  },
  conversation: {
    reply: { key: 'r', what: strings.writeReply },
    note: { key: 'n', what: strings.writeNote },
    assignToMe: { key: 'i', what: strings.assignToMe },
    assign: { key: 'a', what: strings.assignToSomeone },
    toggleState: { key: 'e', what: strings.closeOrReopen },
    markUnread: { key: 'u', what: strings.markAsUnread },
    contact: { key: 'p', what: strings.showContact },
  },
} as const satisfies Record<string, Record<string, Shortcut>>;

type Groups = typeof GROUPS;
export type ShortcutName = { [Group in keyof Groups]: keyof Groups[Group] }[keyof Groups];

/** The groups of the help. */
export const SHORTCUT_GROUPS: readonly (readonly [string, Readonly<Record<string, Shortcut>>])[] = [
  [strings.onEveryPage, GROUPS.everyPage],
  [strings.inLists, GROUPS.lists],
  [strings.inConversation, GROUPS.conversation],
];

const BY_NAME: Readonly<Record<ShortcutName, Shortcut>> = {
  ...GROUPS.everyPage,
  ...GROUPS.lists,
  ...GROUPS.conversation,
};

/** Whether keys without a modifier are shortcuts (WCAG 2.1.4). Escape and Enter always are. */
export const singleKeys = createPreference('single-key-shortcuts', ['on', 'off']);

const isAlwaysOn = (key: string): boolean => key.length > 1;

/** Returns the shortcut of a key, among these. */
export function findShortcut(key: string, among: readonly ShortcutName[]): ShortcutName | null {
  if (singleKeys.get() === 'off' && !isAlwaysOn(key)) return null;
  return among.find((name) => BY_NAME[name].key === key) ?? null;
}

/** The key for a hint next to a control; undefined while shortcuts are turned off. */
export function useShortcutKey(name: ShortcutName): string | undefined {
  return usePreference(singleKeys) === 'on' ? BY_NAME[name].key : undefined;
}

import { useEffect, useEffectEvent } from 'react';
import { readKey } from '../ui/read-key.ts';
import { type ShortcutName, findShortcut } from './shortcuts.ts';

/** Handles shortcuts, except in text fields and while a dialog is open. */
export function useShortcuts(
  actions: Readonly<Partial<Record<ShortcutName, (event: KeyboardEvent) => void>>>,
): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const key = readKey(event);
    if (key === null || event.defaultPrevented || isWriting(event.target)) return;
    const name = findShortcut(key, Object.keys(actions) as ShortcutName[]);
    const action = name === null ? undefined : actions[name];
    if (action === undefined || document.querySelector('dialog[open]') !== null) return;
    event.preventDefault();
    action(event);
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => onKeyDown(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
}

function isWriting(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]')
  );
}

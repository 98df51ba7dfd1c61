import { useEffect, useEffectEvent } from 'react';

/** Handles single keys, except in text fields and while a dialog is open. */
export function useShortcuts(
  actions: Readonly<Record<string, (event: KeyboardEvent) => void>>,
): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const action = actions[event.key];
    if (action === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.defaultPrevented || isWriting(event.target)) return;
    if (document.querySelector('dialog[open]') !== null) return;
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

import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { readKey } from '../ui/read-key.ts';

/**
 * Prints a thread with all of its messages: a browser prints what is on the page. Handles the keys of the browser's own print
 * command too; its menu cannot wait, and prints a note where messages are missing.
 *
 * @param loadAll loads what is not on the page yet.
 */
export function usePrint(loadAll: () => Promise<void>) {
  const [isPreparing, setPreparing] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const isOpen = useRef(true);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);

  async function print(): Promise<void> {
    if (isPreparing) return;
    setPreparing(true);
    setError(null);
    try {
      await loadAll();
      // The messages are on the page after the next frame.
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      if (isOpen.current) window.print();
    } catch (cause) {
      setError(cause);
    } finally {
      setPreparing(false);
    }
  }

  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const isPrint = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
    if (!isPrint || readKey(event)?.toLowerCase() !== 'p') return;
    event.preventDefault();
    void print();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => onKeyDown(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
  return { print, isPreparing, error };
}

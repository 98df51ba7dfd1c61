import { useEffect, useEffectEvent, useRef } from 'react';

/** Returns a function that runs the action now, or later if it ran less than `ms` ago. */
export function useThrottled(action: () => void, ms: number): () => void {
  const run = useEffectEvent(action);
  const state = useRef<{ last: number; timer: ReturnType<typeof setTimeout> | undefined }>({
    last: -Infinity,
    timer: undefined,
  });
  const runRef = useRef<() => void>(() => undefined);
  useEffect(() => {
    const { current } = state;
    runRef.current = () => {
      if (current.timer !== undefined) return;
      const waitMs = Math.max(0, current.last + ms - performance.now());
      current.timer = setTimeout(() => {
        current.timer = undefined;
        current.last = performance.now();
        run();
      }, waitMs);
    };
    return () => {
      clearTimeout(current.timer);
      current.timer = undefined;
    };
  }, [ms]);
  return () => runRef.current();
}

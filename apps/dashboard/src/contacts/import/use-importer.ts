import { useEffect, useRef } from 'react';
import { type WorkerImporter, startImporter } from './worker/start-importer.ts';

/**
 * Starts an importer for a view, and returns a function that returns it at any time, also before the effect. An import that
 * runs when the view closes is finished before the importer stops.
 */
export function useImporter() {
  const started = useRef<WorkerImporter | null>(null);
  const running = useRef<Promise<unknown>>(Promise.resolve());
  const getImporter = (): WorkerImporter => (started.current ??= startImporter());
  useEffect(() => {
    const importer = getImporter();
    return () => {
      started.current = null;
      void running.current.finally(() => importer.stop());
    };
  }, []);
  return { getImporter, running };
}

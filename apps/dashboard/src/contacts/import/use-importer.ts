import { useEffect, useRef } from 'react';
import { type WorkerImporter, startImporter } from './worker/start-importer.ts';

/**
 * Returns a function that starts the importer of a view on its first call. An import that runs when the view closes is finished
 * before the importer stops.
 */
export function useImporter() {
  const started = useRef<WorkerImporter | null>(null);
  const running = useRef<Promise<unknown>>(Promise.resolve());
  useEffect(
    () => () => {
      const importer = started.current;
      started.current = null;
      void running.current.finally(() => importer?.stop());
    },
    [],
  );
  const getImporter = (): WorkerImporter => (started.current ??= startImporter());
  return { getImporter, running };
}

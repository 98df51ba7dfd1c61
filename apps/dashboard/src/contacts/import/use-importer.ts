import { useEffect, useRef, useState } from 'react';
import { type WorkerImporter, startImporter } from './worker/start-importer.ts';

/** Starts an importer for a view. An import that runs when the view closes is finished before the importer stops. */
export function useImporter() {
  const [importer, setImporter] = useState<WorkerImporter | null>(null);
  const running = useRef<Promise<unknown>>(Promise.resolve());
  useEffect(() => {
    const started = startImporter();
    setImporter(started);
    return () => {
      void running.current.finally(() => started.stop());
    };
  }, []);
  return { importer, running };
}

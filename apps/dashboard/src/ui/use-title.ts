import { useEffect } from 'react';

/** Sets the title of the browser tab while the view is mounted. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Switchboard`;
    return () => {
      document.title = 'Switchboard';
    };
  }, [title]);
}

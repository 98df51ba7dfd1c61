import { useEffect } from 'react';

/** What the tab is called while the view is there. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Switchboard`;
    return () => {
      document.title = 'Switchboard';
    };
  }, [title]);
}

import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import * as actions from '#strings/actions';
import * as strings from '#strings/ui';
import { CodeReplacedError } from '../api/api-error.ts';
import { loadCode } from '../api/load-code.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { FailureNotice, LoadFailure } from './notice.tsx';

/** A component whose code is loaded when it is first shown or preloaded. */
type LazyView<Props> = ((props: Props) => ReactNode) & {
  /** Never rejects: the view shows the failure. */
  preload(): Promise<void>;
};

interface FailureProps<Props> {
  error: unknown;
  onRetry(): void;
  /** The properties of the view that was not loaded. */
  view: Props;
}

type Load<Props> = () => Promise<ComponentType<Props>>;

/** Loads a page when it is opened. If that fails, an error in its place offers to try again. */
export function lazyPage(load: Load<object>): LazyView<object> {
  return lazyView(load, LoadFailure);
}

/** Loads a dialog when it is opened. If that fails, another dialog offers to try again. */
export function lazyDialog<Props extends { onClose(): void }>(load: Load<Props>): LazyView<Props> {
  return lazyView(load, ({ error, onRetry, view }) => (
    <Dialog title={strings.partNotLoaded} onClose={view.onClose}>
      <FailureNotice error={error} />
      <Button className="mt-4" onClick={onRetry}>
        {actions.tryAgain}
      </Button>
    </Dialog>
  ));
}

/**
 * The router's and React's own functions do not serve here. The router reloads the page if code is missing, so that the
 * browser's error page replaces the app while the server can't be reached. React never loads failed code again.
 */
export function lazyView<Props extends object>(
  load: Load<Props>,
  Failure: ComponentType<FailureProps<Props>>,
): LazyView<Props> {
  let View: ComponentType<Props> | null = null;
  let loading: Promise<void> | null = null;

  const loadOnce = (): Promise<void> => {
    loading ??= loadCode(load)
      .then((component) => {
        View = component;
      })
      .finally(() => {
        loading = null;
      });
    return loading;
  };

  function Lazy(props: Props) {
    const [failure, setFailure] = useState<unknown>(null);
    const [, setLoaded] = useState(View !== null);
    async function show(isRetry: boolean): Promise<void> {
      try {
        await loadOnce();
        setLoaded(true);
      } catch (error) {
        // A browser never fetches a module again that failed, and only a new page has the names of a new release.
        if (isRetry && error instanceof CodeReplacedError) window.location.reload();
        setFailure(error);
      }
    }
    useEffect(() => {
      if (View === null) void show(false);
    }, []);
    if (View !== null) return <View {...props} />;
    if (failure === null) return null;
    return <Failure error={failure} view={props} onRetry={() => void show(true)} />;
  }
  Lazy.preload = () => (View === null ? loadOnce().catch(() => undefined) : Promise.resolve());
  return Lazy;
}

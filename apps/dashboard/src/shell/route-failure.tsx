import type { ReactNode } from 'react';
import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router';
import * as strings from '#strings/shell';
import { buttonClass } from '../ui/button.tsx';
import { LoadFailure } from '../ui/notice.tsx';
import { useTitle } from '../ui/use-title.ts';

export function RouteFailure({ error }: ErrorComponentProps) {
  const router = useRouter();
  return (
    <main className="grid min-h-dvh place-items-center">
      <LoadFailure error={error} onRetry={() => void router.invalidate()} />
    </main>
  );
}

/** A workspace that failed to open, such as a test mode that does not exist yet. */
export function WorkspaceFailure({ error }: ErrorComponentProps) {
  const router = useRouter();
  return (
    <main className="grid min-h-dvh place-items-center">
      <div className="text-center">
        <LoadFailure error={error} onRetry={() => void router.invalidate()} />
        <Link to="/" className={buttonClass({ kind: 'primary' })}>
          {strings.goToYourMessages}
        </Link>
      </div>
    </main>
  );
}

/** Replaces a panel of a workspace that failed to load or to render. The panels around it stay. */
export function PanelFailure({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  return (
    <div className="min-h-0 flex-1">
      <LoadFailure
        error={error}
        onRetry={() => {
          reset();
          void router.invalidate();
        }}
      />
    </div>
  );
}

export function RouteMissing() {
  return (
    <main className="grid min-h-dvh">
      <PageMissing />
    </main>
  );
}

/** A page of a workspace that does not exist, beside the navigation. */
export function PageMissing() {
  return <Missing title={strings.pageNotFound}>{strings.pageNotFoundHint}</Missing>;
}

/** The server does not reveal whether a workspace exists to users who are not members. */
export function WorkspaceMissing() {
  return (
    <main className="grid min-h-dvh">
      <Missing title={strings.noAccess}>{strings.noAccessHint}</Missing>
    </main>
  );
}

function Missing({ title, children }: { title: string; children: ReactNode }) {
  useTitle(title);
  return (
    <div className="m-auto max-w-sm px-4 text-center">
      <h1 className="text-lg font-semibold">{title}</h1>
      <p className="mt-1 mb-5 text-soft">{children}</p>
      <Link to="/" className={buttonClass({ kind: 'primary' })}>
        {strings.goToYourMessages}
      </Link>
    </div>
  );
}

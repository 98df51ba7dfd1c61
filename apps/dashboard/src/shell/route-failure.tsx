import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router';
import { buttonClass } from '../ui/button.tsx';
import { LoadFailure } from '../ui/notice.tsx';

export function RouteFailure({ error }: ErrorComponentProps) {
  const router = useRouter();
  return (
    <main className="grid min-h-dvh place-items-center">
      <LoadFailure error={error} onRetry={() => void router.invalidate()} />
    </main>
  );
}

export function RouteMissing() {
  return (
    <main className="grid min-h-dvh place-items-center px-4 text-center">
      <div>
        <h1 className="text-lg font-semibold">There is nothing here</h1>
        <p className="mt-1 mb-5 text-soft">The address may be mistyped, or old.</p>
        <Link to="/" className={buttonClass({ kind: 'primary' })}>
          To your messages
        </Link>
      </div>
    </main>
  );
}

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useId, useRef } from 'react';
import { useApi } from '../api/api-context.tsx';
import { meQuery } from '../api/workspace-queries.ts';

/** Shown while a simulator replaces the carrier. Explains how to connect a real account. */
export function SimulatorBanner({ workspaceId }: { workspaceId: string }) {
  const { data: me } = useQuery(meQuery(useApi()));
  const helpId = useId();
  const help = useRef<HTMLDivElement>(null);
  if (me?.carrier_simulated !== true) return null;

  return (
    <aside
      aria-label="Carrier simulator"
      className="flex shrink-0 items-center justify-center gap-2 border-b border-line bg-sunken px-3 py-1 text-xs text-soft"
    >
      <p className="min-w-0">
        <span className="max-sm:hidden">A carrier simulator is running: </span>
        <span className="max-sm:hidden">nothing</span>
        <span className="sm:hidden">Nothing</span> leaves this machine.
      </p>
      <button
        type="button"
        popoverTarget={helpId}
        className="shrink-0 font-medium text-accent underline underline-offset-2"
      >
        Connect a real account
      </button>
      <div
        ref={help}
        id={helpId}
        popover="auto"
        role="dialog"
        aria-label="Connect a real account"
        className="fixed inset-x-3 inset-y-auto top-12 mx-auto w-[min(32rem,calc(100vw-1.5rem))] space-y-3 rounded-xl border border-line bg-surface p-4 text-sm text-ink shadow-float"
      >
        <p>
          The simulator responds like Twilio and reports every message as delivered. No phone
          receives a message. To send real messages:
        </p>
        <ol className="list-decimal space-y-2 pl-5">
          <li>
            Stop Switchboard and start it with the address of Twilio and with the address at which
            Twilio can reach Switchboard:
            <code className="mt-1 block rounded-lg bg-sunken p-2 font-mono text-xs [overflow-wrap:anywhere]">
              TWILIO_API_URL=https://api.twilio.com PUBLIC_URL=https://messages.example.com npm
              start
            </code>
          </li>
          <li>
            Enter your Account SID and auth token in{' '}
            <Link
              to="/w/$workspaceId/settings/$section"
              params={{ workspaceId, section: 'provider' }}
              onClick={() => help.current?.hidePopover()}
              className="font-medium text-accent underline underline-offset-2"
            >
              Settings, Provider
            </Link>
            .
          </li>
          <li>
            Add a number that you bought from Twilio in{' '}
            <Link
              to="/w/$workspaceId/settings/$section"
              params={{ workspaceId, section: 'numbers' }}
              onClick={() => help.current?.hidePopover()}
              className="font-medium text-accent underline underline-offset-2"
            >
              Settings, Numbers
            </Link>
            .
          </li>
        </ol>
      </div>
    </aside>
  );
}

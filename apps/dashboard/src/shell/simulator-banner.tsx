import { modeOf } from '@switchboard/contracts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useId, useRef } from 'react';
import * as strings from '#strings/shell';
import { useApi } from '../api/api-context.tsx';
import { meQuery } from '../api/workspace-queries.ts';
import { useMay } from '../session/use-may.tsx';

const COMMAND =
  'TWILIO_API_URL=https://api.twilio.com PUBLIC_URL=https://messages.example.com npm start';

/** The simulator's page has such an address, which leads other machines to themselves. */
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Shown while a simulator replaces the carrier. */
export function SimulatorBanner({ workspaceId }: { workspaceId: string }) {
  const { data: me } = useQuery(meQuery(useApi()));
  const isOwner = useMay('manage');
  if (me?.carrier_simulated !== true || modeOf(workspaceId) === 'test') return null;

  return (
    <aside
      aria-label={strings.carrierSimulator}
      className="flex shrink-0 items-center justify-center gap-2 border-b border-line bg-sunken px-3 py-1 text-xs text-soft short:group-has-data-thread/shell:hidden"
    >
      <p className="min-w-0">
        <span className="max-sm:hidden">{strings.simulatorRunning}</span>
        <span className="sm:hidden">{strings.simulatorRunningShort}</span>
      </p>
      {me.phone_url !== null && LOOPBACK.test(location.hostname) && (
        <a
          href={me.phone_url}
          target="_blank"
          rel="noreferrer"
          className="shrink-0 font-medium text-accent underline underline-offset-2"
        >
          {strings.openPhone}
        </a>
      )}
      {isOwner && <ConnectionHelp workspaceId={workspaceId} />}
    </aside>
  );
}

/** Explains how to connect a real account. */
function ConnectionHelp({ workspaceId }: { workspaceId: string }) {
  const helpId = useId();
  const help = useRef<HTMLDivElement>(null);
  return (
    <>
      <button
        type="button"
        popoverTarget={helpId}
        className="shrink-0 font-medium text-accent underline underline-offset-2"
      >
        {strings.connectRealAccount}
      </button>
      <div
        ref={help}
        id={helpId}
        popover="auto"
        role="dialog"
        aria-label={strings.connectRealAccount}
        className="fixed inset-x-3 inset-y-auto top-12 mx-auto w-[min(32rem,calc(100vw-1.5rem))] space-y-3 rounded-xl border border-line bg-surface p-4 text-sm text-ink shadow-float"
      >
        <p>{strings.simulatorAbout}</p>
        <ol className="list-decimal space-y-2 pl-5">
          <li>
            {strings.restartWithAddresses}
            <code className="mt-1 block rounded-lg bg-sunken p-2 font-mono text-xs [overflow-wrap:anywhere]">
              {COMMAND}
            </code>
          </li>
          <li>
            {strings.enterCredentials((text) => (
              <Link
                to="/w/$workspaceId/settings/$section"
                params={{ workspaceId, section: 'provider' }}
                onClick={() => help.current?.hidePopover()}
                className="font-medium text-accent underline underline-offset-2"
              >
                {text}
              </Link>
            ))}
          </li>
          <li>
            {strings.addBoughtNumber((text) => (
              <Link
                to="/w/$workspaceId/settings/$section"
                params={{ workspaceId, section: 'numbers' }}
                onClick={() => help.current?.hidePopover()}
                className="font-medium text-accent underline underline-offset-2"
              >
                {text}
              </Link>
            ))}
          </li>
        </ol>
      </div>
    </>
  );
}

import { modeOf } from '@switchboard/contracts';
import { Link, Outlet, useParams } from '@tanstack/react-router';
import * as names from '#strings/names';
import * as strings from '#strings/settings';
import { SECTIONS } from './sections.ts';
import { SettingsSection } from './settings-section.tsx';
import { useMay } from '../session/use-may.tsx';

export function SettingsPage() {
  const { workspaceId, section } = useParams({ strict: false });
  const isOwner = useMay('manage');
  const mayChange = useMay('change');
  if (workspaceId === undefined) return null;
  const isTest = modeOf(workspaceId) === 'test';
  const isShown = (each: (typeof SECTIONS)[number]) =>
    (!('owner' in each) || isOwner) && !(isTest && 'liveOnly' in each);
  return (
    <div className="scroller min-h-0 flex-1 [scrollbar-gutter:stable]">
      <div className="mx-auto flex max-w-4xl flex-col gap-x-8 gap-y-5 px-4 py-5 md:px-6 lg:flex-row">
        <div className="shrink-0 lg:w-40">
          <h1 className="mb-3 text-base font-semibold">{names.settings}</h1>
          <nav aria-label={names.settings} className="-mx-1 flex flex-wrap gap-0.5 lg:flex-col">
            {SECTIONS.filter(isShown).map(({ id, name }) => (
              <Link
                key={id}
                to="/w/$workspaceId/settings/$section"
                params={{ workspaceId, section: id }}
                aria-current={id === (section ?? 'general') ? 'page' : undefined}
                className="rounded-lg px-2.5 py-1.5 font-medium text-soft hover:bg-sunken hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent-strong"
              >
                {name}
              </Link>
            ))}
          </nav>
        </div>
        <div className="min-w-0 flex-1">
          {!mayChange && section !== 'account' && (
            <p className="mb-4 text-soft">{strings.viewersOnlyRead}</p>
          )}
          {section === undefined ? <SettingsSection /> : <Outlet />}
        </div>
      </div>
    </div>
  );
}

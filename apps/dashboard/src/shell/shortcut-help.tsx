import * as strings from '#strings/shell';

import { Dialog } from '../ui/dialog.tsx';
import { usePreference } from '../ui/preference.ts';
import { SHORTCUT_GROUPS, singleKeys } from './shortcuts.ts';

const KEY_NAMES: Readonly<Record<string, string>> = { Escape: strings.esc };

/** Lists all shortcuts, and turns single-key shortcuts on and off. */
export function ShortcutHelp({ onClose }: { onClose(): void }) {
  const isOn = usePreference(singleKeys) === 'on';
  return (
    <Dialog title={strings.keyboardShortcuts} onClose={onClose} wide>
      {/* Focus on the checkbox would scroll a narrow dialog to its end. */}
      <div
        data-autofocus
        tabIndex={-1}
        className="grid gap-x-8 gap-y-5 outline-none sm:grid-cols-2"
      >
        {SHORTCUT_GROUPS.map(([group, shortcuts]) => (
          <section
            key={group}
            aria-label={group}
            className="last:row-span-2 sm:last:col-start-2 sm:last:row-start-1"
          >
            <h3 className="mb-2 text-[0.8125rem] font-semibold">{group}</h3>
            <dl className="grid grid-cols-[4rem_1fr] items-center gap-y-2">
              {Object.values(shortcuts).map(({ key, what }) => (
                <div key={key} className="contents">
                  <dt>
                    <kbd className="inline-block min-w-7 rounded-md border border-line-strong bg-sunken px-1.5 py-0.5 text-center font-mono text-xs">
                      {KEY_NAMES[key] ?? key}
                    </kbd>
                  </dt>
                  <dd className="text-soft">{what}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <label className="mt-5 flex items-start gap-2.5 border-t border-line pt-4">
        <input
          type="checkbox"
          className="mt-1"
          checked={isOn}
          onChange={({ target }) => singleKeys.set(target.checked ? 'on' : 'off')}
        />
        <span>
          {strings.singleKeys}
          <span className="block text-[0.8125rem] text-faint">{strings.singleKeysHint}</span>
        </span>
      </label>
    </Dialog>
  );
}

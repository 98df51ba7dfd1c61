import { useId, useState } from 'react';
import * as strings from '#strings/shell';
import { storageKey } from '../base-path.ts';

const THEMES = ['system', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

/** public/theme.js reads the same key before the first paint. */
const KEY = storageKey('theme');

function readTheme(): Theme {
  const kept = localStorage.getItem(KEY);
  return kept === 'light' || kept === 'dark' ? kept : 'system';
}

export function ThemeChoice() {
  const [theme, setTheme] = useState(readTheme);
  // The page has two menus, of which it shows one. Radio buttons with one name would share a selection.
  const group = useId();

  function choose(next: Theme): void {
    setTheme(next);
    if (next === 'system') {
      localStorage.removeItem(KEY);
      delete document.documentElement.dataset['theme'];
    } else {
      localStorage.setItem(KEY, next);
      document.documentElement.dataset['theme'] = next;
    }
  }

  return (
    <fieldset className="px-2.5 py-1">
      <legend className="sr-only">{strings.theme}</legend>
      <div className="grid grid-cols-3 gap-1 rounded-lg bg-sunken p-1">
        {THEMES.map((name) => (
          <label
            key={name}
            className="rounded-md py-1 text-center text-xs font-medium text-soft has-checked:bg-accent-soft has-checked:text-accent-strong has-focus-visible:outline-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name={group}
              className="sr-only"
              checked={theme === name}
              onChange={() => choose(name)}
            />
            {strings.themes[name]}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

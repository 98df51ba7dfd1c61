// npm run settings:page: writes docs/settings.md from the declarations in packages/runtime.
// ops/test/settings.test.ts fails if the page differs from the output of this script.
import { writeFileSync } from 'node:fs';
import { SETTING_AREAS } from '@switchboard/runtime';
import { renderSettingsPage } from './render-settings-page.mjs';

writeFileSync(new URL('../docs/settings.md', import.meta.url), renderSettingsPage(SETTING_AREAS));

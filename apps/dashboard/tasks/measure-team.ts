import { mkdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createHands } from './hands.ts';
import { TEAM_TASKS } from './team-tasks.ts';
import { type Team, startTeam } from './team.ts';
import type { DoneTask } from './write-page.ts';

const SCREENSHOTS = process.env['SCREENSHOTS'];

/** Registers the tests that perform the path of a new team from an empty database. */
export function measureTeam(done: DoneTask[]): void {
  describe('a new team', () => {
    let team: Team;
    beforeAll(async () => {
      team = await startTeam();
    });
    afterAll(() => team.stop());

    test.each(TEAM_TASKS)('$name', async ({ name, who, start, prepare, run }) => {
      const { page, errors } = await team.windowOf(who);
      await prepare?.({ page, team });
      if (start !== null) {
        await page.goto(start.startsWith('/') ? team.url + start : `${team.view}/${start}`);
        await page.waitForLoadState('networkidle');
      }
      const hands = createHands(page);
      const startedAt = performance.now();
      await run({ page, hands, team });
      const seconds = (performance.now() - startedAt) / 1_000;
      expect(errors).toEqual([]);
      const { effort } = hands;
      done.push({ group: 'A new team', name, start: start ?? 'a mail', effort, seconds });
      if (SCREENSHOTS === undefined) return;
      mkdirSync(SCREENSHOTS, { recursive: true });
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.screenshot({ path: `${SCREENSHOTS}/${name}-${colorScheme}.png` });
      }
      await page.emulateMedia({ colorScheme: null });
    });
  });
}

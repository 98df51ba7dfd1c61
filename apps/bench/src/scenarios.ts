import type { Scenario } from './scenario.ts';
import { accept } from './scenarios/accept.ts';
import { idle } from './scenarios/idle.ts';

/** In the order of the table of goals. */
export const SCENARIOS: readonly Scenario[] = [accept, idle];

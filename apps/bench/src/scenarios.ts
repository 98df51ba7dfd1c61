import type { Scenario } from './scenario.ts';
import { accept } from './scenarios/accept.ts';
import { fairness } from './scenarios/fairness.ts';
import { idle } from './scenarios/idle.ts';
import { through } from './scenarios/through.ts';

/** In the order of the table of goals. */
export const SCENARIOS: readonly Scenario[] = [accept, idle, through, fairness];

import type { Scenario } from './scenario.ts';
import { accept } from './scenarios/accept.ts';
import { drain } from './scenarios/drain.ts';
import { failover } from './scenarios/failover.ts';
import { fairness } from './scenarios/fairness.ts';
import { footprint } from './scenarios/footprint.ts';
import { history } from './scenarios/history.ts';
import { hops } from './scenarios/hops.ts';
import { hub } from './scenarios/hub.ts';
import { idle } from './scenarios/idle.ts';
import { kannel } from './scenarios/kannel.ts';
import { neighbors } from './scenarios/neighbors.ts';
import { processes } from './scenarios/processes.ts';
import { delivery, through } from './scenarios/through.ts';
import { webhooks } from './scenarios/webhooks.ts';
import { workers } from './scenarios/workers.ts';
import { workspaces } from './scenarios/workspaces.ts';

/** All scenarios, in the order of the table of goals. */
export const SCENARIOS: readonly Scenario[] = [
  accept,
  kannel,
  processes,
  idle,
  through,
  delivery,
  drain,
  workers,
  hops,
  history,
  hub,
  workspaces,
  fairness,
  neighbors,
  failover,
  webhooks,
  footprint,
];

import type { Scenario } from './scenario.ts';
import { accept, batches, kannel, processes } from './scenarios/accept.ts';
import { delivery, through } from './scenarios/through.ts';
import { drain, workers } from './scenarios/drain.ts';
import { failover } from './scenarios/failover.ts';
import { fairness } from './scenarios/fairness.ts';
import { footprint } from './scenarios/footprint.ts';
import { history } from './scenarios/history.ts';
import { hops, idle } from './scenarios/idle.ts';
import { hub, workspaces } from './scenarios/hub.ts';
import { neighbors } from './scenarios/neighbors.ts';
import { webhooks } from './scenarios/webhooks.ts';

/** All scenarios, in the order of the table of goals. */
export const SCENARIOS: readonly Scenario[] = [
  accept,
  batches,
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

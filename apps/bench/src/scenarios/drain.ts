import type { Scenario } from '../scenario.ts';
import { drainLargeBacklog } from '../drain/drain-large-backlog.ts';

/** Measures how fast one worker sends a large backlog of one workspace, with each backend of the queue. */
export const drain: Scenario = {
  name: 'drain',
  summary:
    '200,000 messages of one workspace, sent by one worker, with the queue in Redis and in PostgreSQL',
  run: drainLargeBacklog,
};

import type { Page } from 'playwright-core';
import type { History } from '../test/fill-history.ts';
import type { Stack } from '../test/start-stack.ts';
import type { Hands } from './hands.ts';

export interface TaskScene {
  page: Page;
  hands: Hands;
  history: Places;
  /** The name of another member. */
  colleague: string;
}

export interface Places extends History {
  /** A scheduled message of this task alone. */
  reminderId: string;
}

/** What a task may need before the user begins. */
export interface Preparation {
  stack: Stack;
  /** The path of the workspace in the API. */
  api: string;
  /** The path of the conversation with the friend in the API. */
  conversation: string;
}

/** What a user wants, and how the dashboard does it. */
export interface Task {
  name: string;
  /** The page on which the user is, after the workspace; `{name}` is one of the places. Default: the messages. */
  start?: string;
  /** Brings about the state in which the task makes sense. Nothing here counts. */
  prepare?(preparation: Preparation): Promise<unknown>;
  /** Acts like a user, and waits for what shows the user that the task is done. */
  run(scene: TaskScene): Promise<void>;
}

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

/** What the preparation of a task may use. */
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
  /**
   * The path of the first page, after that of the workspace. `{name}` stands for one of the places.
   * Default: the messages.
   */
  start?: string;
  /** Creates the state that the task requires. Its requests are not counted. */
  prepare?(preparation: Preparation): Promise<unknown>;
  /** Acts like a user, and waits until the page shows that the task is done. */
  run(scene: TaskScene): Promise<void>;
}

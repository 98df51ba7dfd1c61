import type { WorkspaceFixture } from '@switchboard/testing';
import { request } from 'undici';
import type { BenchEnvironment } from '../environment/open-environment.ts';

/** What a load uses: the service, and the workspaces that it may fill. */
export interface NeighborContext {
  environment: BenchEnvironment;
  apiUrl: string;
  /** Workspaces of one owner. */
  busy: readonly WorkspaceFixture[];
  isShort: boolean;
}

/** A load that one user causes, and that must not slow down the workspaces of others. */
export interface Neighbor {
  name: string;
  /** The number of workspaces that it uses. */
  workspaces: number;
  /** Starts the load, and resolves when it is there. It continues until the returned function is called. */
  start(context: NeighborContext): Promise<() => Promise<void>>;
}

/** Makes a request of the dashboard or the API. Returns the status and the body. */
export async function call(
  method: 'GET' | 'POST',
  url: string,
  token: string,
  body?: object,
): Promise<{ status: number; text: string }> {
  const answer = await request(url, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return { status: answer.statusCode, text: await answer.body.text() };
}

export async function callOk(...args: Parameters<typeof call>): Promise<string> {
  const { status, text } = await call(...args);
  if (status >= 300) throw new Error(`${args[0]} ${args[1]}: the API responded with ${text}`);
  return text;
}

export function firstOf([first]: readonly WorkspaceFixture[]): WorkspaceFixture {
  if (first === undefined) throw new Error('there is no workspace');
  return first;
}

/** Calls `step` again and again, and returns the function that stops this. */
export function repeat(step: () => Promise<void>): () => Promise<void> {
  let isStopped = false;
  const run = async (): Promise<void> => {
    while (!isStopped) await step();
  };
  const running = run();
  // Reported when the load is stopped.
  running.catch(() => undefined);
  return async () => {
    isStopped = true;
    await running;
  };
}

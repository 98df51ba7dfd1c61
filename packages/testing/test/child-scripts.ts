import { startChild } from '@switchboard/testing';

/** Starts a child process that runs the given script. */
export function startScript(
  text: string,
  options: { stopTimeoutMs?: number; takesInput?: boolean } = {},
) {
  return startChild({
    name: 'script',
    command: process.execPath,
    args: ['--eval', text],
    env: {},
    ...options,
  });
}

export const READY =
  "process.send({ type: 'ready', url: 'http://script' }); setInterval(() => {}, 1e3);";

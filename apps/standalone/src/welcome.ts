import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StandaloneConfig } from './config.ts';

/** Returns the welcome text. Each of its commands can be run as is. */
export async function createWelcome(config: StandaloneConfig, seconds: number): Promise<string> {
  const path = join(config.dataDir, 'demo.json');
  const demo = JSON.parse(await readFile(path, 'utf8')) as Record<string, string>;
  const { apiUrl } = config;
  const socket = `new WebSocket('${apiUrl.replace(/^http/, 'ws')}/api/events', ['messaging.v1', 'bearer.${demo['api_key']}'])`;
  const print =
    '{ onmessage: (e) => console.log(e.data), onclose: (e) => console.log(e.code, e.reason) }';
  return `
Switchboard is ready at ${apiUrl} (in ${seconds.toFixed(1)} s).

  Dashboard      ${apiUrl}/
                 ${demo['email']}  ${demo['password']}
  API reference  ${apiUrl}/docs
  Phone          ${config.simulatorUrl}/ (receives your texts; nothing leaves this machine)
  Carrier        ${config.simulatorUrl} (a simulator)
  Demo data      ${path}

Send a message:

  curl ${apiUrl}/api/messages -H 'Authorization: Bearer ${demo['api_key']}' -H 'Content-Type: application/json' -d '{"to":"+15558675310","body":"Hello"}'

Watch its events:

  node --experimental-websocket -e "Object.assign(${socket}, ${print})"

Ctrl-C stops Switchboard. Your data is kept.

`;
}

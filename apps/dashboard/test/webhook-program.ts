import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { type IncomingHttpHeaders, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { ROOT_FOLDER } from '@switchboard/testing';

export interface Delivery {
  headers: IncomingHttpHeaders;
  body: string;
}

/** Starts a program that receives webhooks, and responds to each with 200. */
export async function startWebhookProgram() {
  const received: Delivery[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      response.end('Thank you');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`,
    received,
    stop(): void {
      server.closeAllConnections();
      server.close();
    },
  };
}

/**
 * Runs the verification code that the dashboard shows for Node.js on a delivery. Returns the type
 * of the event, or the name of the error.
 */
export async function runVerification(
  code: string,
  secret: string,
  { headers, body }: Delivery,
): Promise<string> {
  const program = `
    const { secret, headers, body } = JSON.parse(process.argv[1]);
    const request = { headers };
    process.on('uncaughtException', (error) => console.log(error.constructor.name));
    ${code}
    console.log(event.type);`;
  const input = JSON.stringify({ secret, headers, body });
  const run = promisify(execFile);
  const { stdout } = await run(
    process.execPath,
    ['--input-type=module', '-e', program, '--', input],
    { cwd: ROOT_FOLDER },
  );
  return stdout.trim();
}

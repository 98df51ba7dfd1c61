import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findFreePort } from '@switchboard/embedded-postgres';
import { findKannelBox, startChild } from '@switchboard/testing';
import { onTestFinished } from 'vitest';

const PASSWORD = 'secret';

/** What a program sends through Kannel, as its HTTP interface names it. */
interface KannelMessage {
  from: string;
  to: string;
  text: string;
  coding?: '0' | '2';
}

/**
 * Starts Kannel's gateway: bearerbox, which binds to the SMSC, and smsbox, through which programs send and
 * receive over HTTP. Kannel calls `receiverUrl` for each receipt and each received message.
 */
export async function startKannel(options: {
  folder: string;
  smsc: { port: number; systemId: string; password: string };
  receiverUrl: string;
}) {
  const { folder, smsc, receiverUrl } = options;
  const adminPort = await findFreePort();
  const boxPort = await findFreePort();
  const sendPort = await findFreePort();
  const file = join(folder, 'kannel.conf');
  await writeFile(
    file,
    `group = core
admin-port = ${adminPort}
admin-interface = 127.0.0.1
admin-password = ${PASSWORD}
smsbox-port = ${boxPort}
smsbox-interface = 127.0.0.1

group = smsc
smsc = smpp
smsc-id = simulator
host = 127.0.0.1
port = ${smsc.port}
transceiver-mode = true
smsc-username = ${smsc.systemId}
smsc-password = ${smsc.password}
system-type = ""
reconnect-delay = 1
enquire-link-interval = 1

group = smsbox
bearerbox-host = 127.0.0.1
sendsms-port = ${sendPort}
sendsms-interface = 127.0.0.1

group = sendsms-user
username = program
password = ${PASSWORD}
concatenation = true
max-messages = 10

group = sms-service
keyword = default
catch-all = true
get-url = "${receiverUrl}/inbound?from=%p&to=%P&coding=%c&text=%b"
max-messages = 0
`,
  );

  async function start(name: 'bearerbox' | 'smsbox', isReady: (line: string) => boolean) {
    const child = await startChild({
      name,
      command: await findKannelBox(name),
      args: ['-v', '0', file],
      env: { PATH: '/usr/bin:/bin' },
      isReady,
    });
    onTestFinished(() => child.kill());
    return child;
  }

  const bearerbox = await start('bearerbox', (line) => line.includes('entering mainloop'));
  const smsbox = await start('smsbox', (line) => line.includes('Connected to bearerbox'));
  return {
    bearerbox,
    smsbox,

    /** Sends with a request for a receipt. */
    async send({ from, to, text, coding = '0' }: KannelMessage): Promise<string> {
      const url = new URL(`http://127.0.0.1:${sendPort}/cgi-bin/sendsms`);
      const fields = {
        username: 'program',
        password: PASSWORD,
        from,
        to,
        text,
        coding,
        charset: 'UTF-8',
        // 1: delivered, 2: not delivered.
        'dlr-mask': '3',
        'dlr-url': `${receiverUrl}/receipt?type=%d&id=%F`,
      };
      for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value);
      const answer = await fetch(url, { headers: { connection: 'close' } });
      return `${answer.status} ${await answer.text()}`;
    },

    /** Reads the line of the status page about the SMSC. */
    async readSmscStatus(): Promise<string> {
      const url = `http://127.0.0.1:${adminPort}/status.txt?password=${PASSWORD}`;
      const answer = await fetch(url, { headers: { connection: 'close' } });
      const text = await answer.text();
      return text.split('\n').find((line) => line.includes('simulator[simulator]')) ?? '';
    },
  };
}

/** Decodes a query of Kannel, which has the bytes of a text: UTF-8, or with coding 2 UTF-16 (big-endian). */
export function readKannelQuery(query: string): Record<string, string> {
  const fields = new Map(
    query.split('&').map((pair): [string, Buffer] => {
      const [name = '', value = ''] = pair.split('=');
      const bytes = value
        .replaceAll('+', ' ')
        .replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
      return [name, Buffer.from(bytes, 'latin1')];
    }),
  );
  const isWide = fields.get('coding')?.toString() === '2';
  return Object.fromEntries(
    [...fields].map(([name, value]) => [
      name,
      new TextDecoder(isWide && name === 'text' ? 'utf-16be' : 'utf-8').decode(value),
    ]),
  );
}

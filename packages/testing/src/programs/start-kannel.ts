import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findFreePort } from '@switchboard/embedded-postgres';
import { startChild } from '../processes/start-child.ts';
import { findKannelBox } from './find-program.ts';

const USERNAME = 'program';
const PASSWORD = 'secret';

/** A message that a program sends through Kannel, with the field names of its HTTP interface. */
interface KannelMessage {
  from: string;
  to: string;
  text: string;
  coding?: '0' | '2';
}

interface KannelOptions {
  /** The folder of the configuration and the logs. */
  folder: string;
  /** The SMSC that bearerbox binds to. Null for one that never connects, so that all messages wait. */
  smsc: { port: number; systemId: string; password: string } | null;
  /** Receives a GET request for each receipt and each received message. */
  receiverUrl: string;
  /** Writes each accepted message to a file before it is acknowledged. Otherwise messages stay in memory. */
  keepsFiles?: boolean;
  /** Kannel's level: 0 logs everything, 1 what is done for each message, 4 only failures. */
  logLevel?: 0 | 1;
}

/**
 * Starts the Kannel gateway: bearerbox, which binds to the SMSC, and smsbox, through which programs send and
 * receive over HTTP.
 */
export async function startKannel(options: KannelOptions) {
  const { folder, smsc, receiverUrl } = options;
  const adminPort = await findFreePort();
  const boxPort = await findFreePort();
  const sendPort = await findFreePort();
  const file = join(folder, 'kannel.conf');
  const spool = join(folder, 'spool');
  if (options.keepsFiles === true) await mkdir(spool, { recursive: true });
  await writeFile(
    file,
    `group = core
admin-port = ${adminPort}
admin-interface = 127.0.0.1
admin-password = ${PASSWORD}
smsbox-port = ${boxPort}
smsbox-interface = 127.0.0.1
${options.keepsFiles === true ? `store-type = spool\nstore-location = ${spool}\n` : ''}
group = smsc
smsc-id = simulator
${smsc === null ? describeAbsentSmsc(await findFreePort()) : describeSmsc(smsc)}

group = smsbox
bearerbox-host = 127.0.0.1
sendsms-port = ${sendPort}
sendsms-interface = 127.0.0.1

group = sendsms-user
username = ${USERNAME}
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
      args: ['-v', String(options.logLevel ?? 0), file],
      env: { PATH: '/usr/bin:/bin' },
      ...(options.logLevel === 1 && { logFile: join(folder, `${name}.log`) }),
      isReady,
    });
    return child;
  }

  const bearerbox = await start('bearerbox', (line) => line.includes('entering mainloop'));
  const smsbox = await start('smsbox', (line) => line.includes('Connected to bearerbox')).catch(
    async (error: unknown) => {
      await bearerbox.kill();
      throw error;
    },
  );
  return {
    bearerbox,
    smsbox,
    /** The URL to which programs send, with their credentials. */
    url: `http://127.0.0.1:${sendPort}/cgi-bin/sendsms?username=${USERNAME}&password=${PASSWORD}`,

    /** Sends a message and requests a receipt. */
    async send({ from, to, text, coding = '0' }: KannelMessage): Promise<string> {
      const url = new URL(this.url);
      const fields = {
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

    async stop(): Promise<void> {
      await smsbox.kill();
      await bearerbox.kill();
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

function describeSmsc({
  port,
  systemId,
  password,
}: {
  port: number;
  systemId: string;
  password: string;
}) {
  return `smsc = smpp
host = 127.0.0.1
port = ${port}
transceiver-mode = true
smsc-username = ${systemId}
smsc-password = ${password}
system-type = ""
reconnect-delay = 1
enquire-link-interval = 1`;
}

/** Configures Kannel's `fake` SMSC, which listens for a simulated SMSC. None ever connects. */
function describeAbsentSmsc(port: number): string {
  return `smsc = fake
port = ${port}
connect-allow-ip = 127.0.0.1`;
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

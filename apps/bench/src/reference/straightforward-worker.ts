import { createDatabase } from '@switchboard/database';
import { Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { request } from 'undici';
import { readReferenceConfig } from '../config.ts';

/**
 * The worker of the straightforward API. For each job it reads the message, calls the provider, stores
 * the result, and then publishes an event.
 */
const config = readReferenceConfig();
const CONCURRENCY = 50;
const { prisma } = createDatabase({
  url: config.databaseUrl,
  poolSize: 12,
  applicationName: 'straightforward-worker',
  onError: () => undefined,
});
const authorization = `Basic ${Buffer.from(`${config.accountSid}:${config.authToken}`).toString('base64')}`;

const publisher = new Redis(config.redisUrl);
const worker = new Worker<{ id: string }>(
  'straightforward',
  async ({ data: { id } }) => {
    const where = { workspaceId_id: { workspaceId: config.workspaceId, id } };
    const message = await prisma.message.findUniqueOrThrow({ where });
    const answer = await request(
      `${config.twilioApiUrl}/2010-04-01/Accounts/${config.accountSid}/Messages.json`,
      {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({
          To: message.to,
          From: message.from ?? '',
          Body: message.body,
          StatusCallback: `${config.publicUrl}/status?message=${id}`,
        }).toString(),
      },
    );
    const { sid } = (await answer.body.json()) as { sid: string };
    await prisma.message.update({
      where,
      data: { providerSid: sid, vendorAccountId: config.accountSid, updatedAt: new Date() },
    });
    await publisher.publish(
      'straightforward',
      JSON.stringify({ status: message.status, provider_sid: sid }),
    );
  },
  {
    connection: new Redis(config.redisUrl, { maxRetriesPerRequest: null }),
    concurrency: CONCURRENCY,
  },
);
await worker.waitUntilReady();
process.once('SIGTERM', () => process.exit(0));
process.send?.({ type: 'ready', url: 'worker' });

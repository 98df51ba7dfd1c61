import { createDatabase } from '@switchboard/database';
import { Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { request } from 'undici';
import { readPlan } from './program.ts';

/**
 * The worker of the straightforward API. For each job it reads the message, calls the provider, stores
 * the result, and then publishes an event.
 */
const plan = readPlan() as {
  databaseUrl: string;
  redisUrl: string;
  workspaceId: string;
  accountSid: string;
  authToken: string;
  providerUrl: string;
  apiUrl: string;
};
const CONCURRENCY = 50;
const { prisma } = createDatabase({
  url: plan.databaseUrl,
  poolSize: 12,
  applicationName: 'straightforward-worker',
  onError: () => undefined,
});
const credentials = `${plan.accountSid}:${plan.authToken}`;
const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
const publisher = new Redis(plan.redisUrl);
const worker = new Worker<{ id: string }>(
  'straightforward',
  async ({ data: { id } }) => {
    const where = { workspaceId_id: { workspaceId: plan.workspaceId, id } };
    const message = await prisma.messageRecord.findUniqueOrThrow({ where });
    const response = await request(
      `${plan.providerUrl}/2010-04-01/Accounts/${plan.accountSid}/Messages.json`,
      {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({
          To: message.to,
          From: message.from ?? '',
          Body: message.body,
          StatusCallback: `${plan.apiUrl}/status?message=${id}`,
        }).toString(),
      },
    );
    const { sid } = (await response.body.json()) as { sid: string };
    await prisma.messageRecord.update({
      where,
      data: { providerSid: sid, vendorAccountId: plan.accountSid, updatedAt: new Date() },
    });
    await publisher.publish(
      'straightforward',
      JSON.stringify({ status: message.status, provider_sid: sid }),
    );
  },
  {
    connection: new Redis(plan.redisUrl, { maxRetriesPerRequest: null }),
    concurrency: CONCURRENCY,
  },
);
await worker.waitUntilReady();
process.send?.('ready');

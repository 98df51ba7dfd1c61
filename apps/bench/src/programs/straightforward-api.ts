import { createUuidV7 } from '@switchboard/core';
import { createDatabase } from '@switchboard/database';
import { Queue } from 'bullmq';
import { fastify } from 'fastify';
import { Redis } from 'ioredis';
import { readPlan } from './program.ts';

/**
 * The simplest implementation of the API: a `create` and a `queue.add` for each request, and an update
 * for each callback, without authentication, limits, events, idempotency or batches.
 */
const plan = readPlan() as { databaseUrl: string; redisUrl: string; workspaceId: string };
const { prisma } = createDatabase({
  url: plan.databaseUrl,
  poolSize: 16,
  applicationName: 'straightforward-api',
  onError: () => undefined,
});
const queue = new Queue('straightforward', {
  connection: new Redis(plan.redisUrl, { maxRetriesPerRequest: null }),
});
const publisher = new Redis(plan.redisUrl);
const app = fastify();
app.addContentTypeParser(
  'application/x-www-form-urlencoded',
  { parseAs: 'string' },
  (_request, body: string, done) => done(null, Object.fromEntries(new URLSearchParams(body))),
);

app.post<{ Body: { to: string; body: string } }>('/api/messages', async (request, reply) => {
  const at = new Date();
  const message = await prisma.messageRecord.create({
    data: {
      id: createUuidV7(at.getTime()),
      workspaceId: plan.workspaceId,
      direction: 'outbound',
      to: request.body.to,
      from: '+15005550006',
      body: request.body.body,
      segments: 1,
      status: 'queued',
      createdAt: at,
      updatedAt: at,
      dispatch: 'ready',
    },
  });
  await queue.add('send', { id: message.id }, { removeOnComplete: true });
  return reply.code(201).send({ id: message.id, sid: message.id, status: message.status });
});

app.post<{ Querystring: { message: string }; Body: { MessageStatus: string } }>(
  '/status',
  async (request) => {
    const status = request.body.MessageStatus as 'sent' | 'delivered';
    await prisma.messageRecord.update({
      where: { workspaceId_id: { workspaceId: plan.workspaceId, id: request.query.message } },
      data: { status, updatedAt: new Date() },
    });
    await publisher.publish('straightforward', JSON.stringify({ status }));
    return {};
  },
);

process.send?.(await app.listen({ host: '127.0.0.1', port: 0 }));

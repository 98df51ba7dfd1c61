import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { providerOf } from '../messages/message.ts';
import type { Journal, JournalRecord } from './journal.ts';

/** `GET` streams the accepted outbound messages from the journal. `DELETE` calls `reset`. */
export function registerLedger(app: FastifyInstance, journal: Journal, reset: () => void): void {
  app.get('/ledger', async (_request, reply) =>
    reply.type('application/x-ndjson').send(Readable.from(ledgerOf(journal))),
  );

  app.delete('/ledger', async () => {
    reset();
    return { ok: true };
  });
}

async function* ledgerOf(journal: Journal): AsyncGenerator<string> {
  for await (const lines of journal.readLines()) {
    const accepted = lines.filter((line) => line.startsWith('{"type":"message"'));
    yield accepted.map(formatLine).join('');
  }
}

function formatLine(line: string): string {
  const { message } = JSON.parse(line) as Extract<JournalRecord, { type: 'message' }>;
  if (message.direction === 'inbound') return '';
  const { sid, accountSid, to, from, prefix = '', body, mediaUrls, createdAt } = message;
  return `${JSON.stringify({
    sid,
    provider: providerOf(message),
    account_sid: accountSid,
    to,
    from,
    body,
    sent_body: prefix + body,
    num_media: mediaUrls.length,
    media_urls: mediaUrls,
    accepted_at: new Date(createdAt).toISOString(),
  })}\n`;
}

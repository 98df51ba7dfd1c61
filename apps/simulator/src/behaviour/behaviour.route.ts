import type { FastifyInstance } from 'fastify';
import type { Journal } from '../ledger/journal.ts';
import { isProvider } from '../provider.ts';
import type { BehaviourStore } from './behaviour-store.ts';
import { parseBehaviour } from './behaviour.ts';

/** Reads and changes the faults. Returns those of one provider, of Twilio by default. */
export function registerBehaviour(
  app: FastifyInstance,
  behaviour: BehaviourStore,
  journal: Journal,
): void {
  app.get<{ Querystring: { provider?: unknown } }>('/behaviour', async (request) => {
    const { provider } = request.query;
    return behaviour.current(isProvider(provider) ? provider : 'twilio');
  });

  app.put('/behaviour', async (request, reply) => {
    const parsed = parseBehaviour(request.body);
    if (!parsed.ok) {
      const { field, detail } = parsed;
      return reply.code(400).send({ error: 'invalid_params', field, detail });
    }
    const { provider, changes } = parsed;
    await behaviour.merge(journal, provider, changes);
    return behaviour.current(provider ?? 'twilio');
  });
}

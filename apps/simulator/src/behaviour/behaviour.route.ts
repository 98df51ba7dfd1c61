import type { FastifyInstance } from 'fastify';
import type { Journal } from '../ledger/journal.ts';
import type { BehaviourStore } from './behaviour-store.ts';
import { parseBehaviour } from './behaviour.ts';

export function registerBehaviour(
  app: FastifyInstance,
  behaviour: BehaviourStore,
  journal: Journal,
): void {
  app.get('/behaviour', async () => behaviour.current());

  app.put('/behaviour', async (request, reply) => {
    const parsed = parseBehaviour(request.body);
    if (!parsed.ok) {
      const { field, detail } = parsed;
      return reply.code(400).send({ error: 'invalid_params', field, detail });
    }
    await behaviour.merge(journal, parsed.changes);
    return behaviour.current();
  });
}

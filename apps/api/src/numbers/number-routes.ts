import {
  type PhoneNumber,
  addNumberRequest,
  changeNumberRequest,
  missingParams,
  parseBody,
} from '@switchboard/contracts';
import {
  AppError,
  type Clock,
  QUOTAS,
  createUuidV7,
  isUuid,
  quotaExceeded,
} from '@switchboard/core';
import type { PhoneNumberStore, StoredPhoneNumber } from '@switchboard/database';
import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { Credentials } from '../http/credentials.ts';
import { type Scope, createScopes } from '../http/scopes.ts';
import { answerPage } from '../wire/answer-page.ts';
import type { InboundWiring } from './inbound-wiring.ts';

export interface NumberRouteDependencies {
  credentials: Credentials;
  requireMember: onRequestAsyncHookHandler;
  phoneNumbers: PhoneNumberStore;
  inbound: Pick<InboundWiring, 'wire' | 'isWired'>;
  clock: Clock;
}

const CAPABILITIES = ['sms', 'mms'];

/** The same routes for programs, in their key's workspace, and for people, in the path's. */
export function registerNumberRoutes(
  app: FastifyInstance,
  dependencies: NumberRouteDependencies,
): void {
  const { credentials, requireMember } = dependencies;
  for (const scope of createScopes(credentials, requireMember)) {
    registerScope(app, scope, dependencies);
  }
}

function registerScope(
  app: FastifyInstance,
  { prefix, onRequest, workspaceOf, actorOf }: Scope,
  { phoneNumbers, inbound, clock }: NumberRouteDependencies,
): void {
  const numbers = `${prefix}/numbers`;

  const toPhoneNumber = (workspaceId: string, number: StoredPhoneNumber): PhoneNumber => ({
    id: number.id,
    number: number.number,
    label: number.label,
    is_default: number.isDefault,
    capabilities: number.capabilities,
    created_at: number.createdAt.toISOString(),
    inbound_wired: inbound.isWired(workspaceId, number),
  });
  const idOf = (request: FastifyRequest) => (request.params as { numberId: string }).numberId;

  /** Before the body is read: what is wrong with it does not matter to a number that is none. */
  async function requireNumber(request: FastifyRequest): Promise<void> {
    const id = idOf(request);
    const found = isUuid(id) ? await phoneNumbers.find(workspaceOf(request), id) : null;
    if (found === null) throw missing();
  }

  app.get(numbers, { onRequest }, (request) => {
    const workspaceId = workspaceOf(request);
    return answerPage(
      request,
      (page) => phoneNumbers.list(workspaceId, page),
      (number) => toPhoneNumber(workspaceId, number),
    );
  });

  app.post(numbers, { onRequest }, async (request, reply) => {
    const body = parseBody(addNumberRequest, request.body);
    const workspaceId = workspaceOf(request);
    const createdAt = new Date(clock.now());
    const created = await phoneNumbers.create(
      workspaceId,
      {
        id: createUuidV7(createdAt.getTime()),
        number: body.number,
        label: body.label ?? '',
        isDefault: body.is_default ?? false,
        capabilities: CAPABILITIES,
        createdAt,
      },
      actorOf(request),
    );
    if (created === 'quota_exceeded') {
      throw quotaExceeded(QUOTAS.numbersPerWorkspace, 'numbers of the workspace');
    }
    if (created === 'exists') {
      throw new AppError('already_exists', '`number` is a number of this workspace already');
    }
    const inbound_wired = await inbound.wire(workspaceId, created, request.log);
    return reply.code(201).send({ ...toPhoneNumber(workspaceId, created), inbound_wired });
  });

  const one = { onRequest: [...onRequest, requireNumber] };

  app.patch(`${numbers}/:numberId`, one, async (request) => {
    const { label, is_default: isDefault } = parseBody(changeNumberRequest, request.body);
    if (label === undefined && isDefault === undefined) {
      throw missingParams(['label', 'is_default']);
    }
    const workspaceId = workspaceOf(request);
    const changed = await phoneNumbers.update(
      workspaceId,
      idOf(request),
      { ...(label !== undefined && { label }), ...(isDefault !== undefined && { isDefault }) },
      actorOf(request),
    );
    if (changed === 'missing') throw missing();
    if (changed === 'needs_default') {
      throw new AppError('invalid_state', 'Make another number the default instead');
    }
    return toPhoneNumber(workspaceId, changed);
  });

  app.delete(`${numbers}/:numberId`, one, async (request) => {
    const removed = await phoneNumbers.remove(
      workspaceOf(request),
      idOf(request),
      actorOf(request),
    );
    if (!removed) throw missing();
    return { ok: true };
  });
}

function missing(): AppError {
  return new AppError('not_found', 'No such number');
}

import { type Message, refuse, routes, toMessage } from '@switchboard/contracts';
import {
  AppError,
  type Clock,
  type ReceiveInbound,
  countSegments,
  createUuidV7,
  liveWorkspaceOf,
  modeOf,
} from '@switchboard/core';
import type { MessageStore, PhoneNumberStore, ProviderStore } from '@switchboard/database';
import type { CountTestMessage } from '../count-test-messages.ts';
import type { RegisterRoute } from '../http/register-route.ts';

export interface ReceiveTestMessageDependencies {
  messages: Pick<MessageStore, 'find'>;
  phoneNumbers: Pick<PhoneNumberStore, 'findIds'>;
  providers: Pick<ProviderStore, 'find'>;
  receiveInbound: ReceiveInbound;
  countTestMessage: CountTestMessage;
  clock: Pick<Clock, 'now'>;
}

/** Registers the route that takes the place of a provider that receives messages. */
export function registerReceiveTestMessage(
  registerRoute: RegisterRoute,
  dependencies: ReceiveTestMessageDependencies,
): void {
  const { messages, phoneNumbers, providers, receiveInbound, clock } = dependencies;
  const route = routes.receiveTestMessage;

  async function hasNumber(workspaceId: string, number: string): Promise<boolean> {
    const owners = [workspaceId, liveWorkspaceOf(workspaceId)];
    const found = await Promise.all(owners.map((id) => phoneNumbers.findIds(id, [number])));
    return found.some((ids) => ids.size > 0);
  }

  registerRoute(route, {
    async onRequest({ workspaceId }) {
      if (modeOf(workspaceId) === 'live') throw refuse(route, 'invalid_state');
    },
    async handle({ workspaceId, body, request, log }): Promise<Message> {
      const account = await providers.find(workspaceId);
      if (account === null) throw new Error('the test workspace has no provider account');
      if (!(await hasNumber(workspaceId, body.to))) throw refuse(route, 'not_found');
      await dependencies.countTestMessage(workspaceId);
      const now = clock.now();
      const id = await receiveInbound(
        {
          sid: `SBI${createUuidV7(now).replaceAll('-', '')}`,
          vendorAccountId: account.vendorAccountId,
          to: body.to,
          from: body.from,
          body: body.body,
          media: (body.media_urls ?? []).map((url) => ({
            url,
            content_type: 'application/octet-stream',
          })),
          segments: countSegments(body.body).segments,
          providerKeyword: null,
        },
        {
          workspaceId,
          providerId: account.id,
          now,
          listedAt: null,
          requestId: request.id,
          traceParent: request.span?.traceParent ?? null,
          log,
        },
      );
      const stored = id === null ? null : await messages.find(workspaceId, id);
      if (stored === null) throw new AppError('internal_error', 'The message was not stored');
      request.createdMessageId = stored.id;
      return toMessage(stored);
    },
  });
}

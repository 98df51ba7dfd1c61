const MESSAGE = {
  direction: 'outbound',
  status: 'delivered',
  error_code: null,
  error_detail: null,
  media: [],
  scheduled_at: null,
  repeat_of: null,
};

const PERIOD = { from: '2026-11-01T00:00:00.000Z', to: '2026-12-01T00:00:00.000Z' };

const VENDOR_MESSAGE_ID = '7b2e6c1a-52ad-4b8e-9d3f-0a1c5e7f9b24';

const DELIVERY_COUNTS = {
  sent: 1_200,
  delivered: 1_150,
  failed: 30,
  sent_before: 1_100,
  delivered_before: 1_080,
  failed_before: 12,
};

/**
 * The example values of fields, by name. A name in front of a dot is the `id` of a schema, whose field
 * then has its own example. A test checks every example against its schema.
 */
export const EXAMPLE_VALUES: Readonly<Record<string, unknown>> = {
  to: '+14155550123',
  from: '+14155550100',
  number: '+14155550123',
  body: 'Your order has shipped.',
  content_type: 'image/jpeg',
  url: 'https://example.com/cat.jpg',
  sid: 'SM3f0c1d2e4b5a69788796a5b4c3d2e1f0',
  provider_sid: 'SM3f0c1d2e4b5a69788796a5b4c3d2e1f0',
  cursor: 'AgGh97OJtnAAvT1Pt9G-7jYAAAAAAAAEEg',
  detail: null,
  email: 'ada@example.com',
  name: 'Ada Lovelace',
  password: 'correct horse battery staple',
  current_password: 'correct horse battery',
  token: 'sws_4fQ1zL0pXo8vC2yN6tRk3mWb7hJd9sAe5uGxVqYiTcZ',
  invite_token: 'swi_4fQ1zL0pXo8vC2yN6tRk3mWb7hJd9sAe5uGxVqYiTcZ',
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/150.0',
  label: 'Support',
  fields: { City: 'Lisbon' },
  other_numbers: ['+14155550124'],
  tags: ['customer'],
  existing: 'update',
  capabilities: ['sms', 'mms'],
  reason: 'STOP',
  account_sid: 'AC0123456789abcdef0123456789abcdef',
  auth_token: '0123456789abcdef0123456789abcdef',
  auth_token_last4: 'cdef',
  messaging_service_sid: null,
  opt_out: 'You will receive no more messages from us.',
  opt_in: 'You will receive messages from us again.',
  help: 'Write to help@example.com.',
  opt_out_words: ['baja'],
  opt_in_words: ['alta'],
  help_words: ['ayuda'],
  prefix: 'swb_0004fQ1',
  last4: 'GxV0',
  key: 'swb_0004fQ1L0pXo8vC2yN6tRk3mWb7hJd9sAeGxV0',
  error_code: '30003',
  revoked_at: null,
  next: null,
  AccountSid: 'AC0123456789abcdef0123456789abcdef',
  MessageSid: 'SM3f0c1d2e4b5a69788796a5b4c3d2e1f0',
  MessageStatus: 'delivered',
  From: '+14155550123',
  To: '+14155550100',
  TelnyxStatus: telnyxEventOf('message.finalized', {
    to: [{ phone_number: '+14155550123', status: 'delivered' }],
    webhook_url:
      'https://sms.example.com/api/webhooks/telnyx/01a1f7b3-89b6-7000-bd3d-4fb81d1bee36/status?message=01a1f7b3-89b6-7000-bd3d-4fb81d1bee37&attempt=1',
  }),
  TelnyxMessage: telnyxEventOf('message.received', { to: [{ phone_number: '+14155550123' }] }),
  VonageStatus: {
    message_uuid: VENDOR_MESSAGE_ID,
    from: '14155550100',
    status: 'delivered',
    client_ref: '01a1f7b3-89b6-7000-bd3d-4fb81d1bee37',
  },
  VonageMessage: {
    message_uuid: VENDOR_MESSAGE_ID,
    from: '14155550123',
    to: '14155550100',
    message_type: 'text',
    text: 'When do you open?',
  },

  ...fieldsOf('Message', MESSAGE),
  ...fieldsOf('MessageWithEvents', MESSAGE),
  'Message.sent_by.name': 'Order service',
  'Message.sent_by.type': 'api_key',
  'MessageWithEvents.sent_by.name': 'Order service',
  'MessageWithEvents.sent_by.type': 'api_key',
  ChangeNumberRequest: { label: 'Support', is_default: true },
  ChangeProviderRequest: { name: 'Main account', enabled: true },
  'Message.provider.type': 'twilio',
  'MessageWithEvents.provider.type': 'twilio',
  'AddProviderRequest.type': 'sandbox',
  'ProviderAccount.type': 'twilio',
  'ProviderAccount.name': 'Main account',
  'ProviderAccount.credentials': {
    account_sid: 'AC0123456789abcdef0123456789abcdef',
    auth_token_last4: 'cdef',
    messaging_service_sid: null,
  },
  'ProviderAccount.webhook_urls': {
    inbound:
      'https://sms.example.com/api/webhooks/vonage/01a1f7b3-89b6-7000-bd3d-4fb81d1bee36/inbound',
    status:
      'https://sms.example.com/api/webhooks/vonage/01a1f7b3-89b6-7000-bd3d-4fb81d1bee36/status',
  },
  'ConfigureInboundAnswer.detail': 'Messages to this number arrive here.',
  'ProviderNumber.inbound_host': null,
  'ProviderAccount.status_since': null,
  'ProviderAccount.status_detail': null,
  'Routing.rules.prefix': '+44',
  'RoutingPreview.prefix': '+44',
  'RoutingPreview.routes.share': 1,
  'Delivery.from_before': '2026-11-13T09:00:00.000Z',
  'Delivery.to_before': '2026-11-14T09:00:00.000Z',
  'Delivery.total': { ...DELIVERY_COUNTS },
  'Delivery.time_to_delivery': {
    median_ms: 2_400,
    p95_ms: 9_800,
    median_ms_before: 2_100,
    p95_ms_before: 8_300,
  },
  'Delivery.country_code': [{ value: '49', name: null, ...DELIVERY_COUNTS }],
  'Delivery.sender': [{ value: '+14155550100', name: null, ...DELIVERY_COUNTS }],
  'Delivery.provider': [
    { value: '01a1f7b3-89b6-7000-bd3d-4fb81d1bee36', name: 'Main account', ...DELIVERY_COUNTS },
  ],
  'Delivery.sent_by': [
    { value: '01a1f7b3-89b6-7000-bd3d-4fb81d1bee36', name: 'Order service', ...DELIVERY_COUNTS },
  ],
  'RoutingShares.since': '2026-11-20T09:00:00.000Z',
  'MessageWithEvents.repeated_as': [],
  'MessageEvent.type': 'provider_accepted',
  'MessageEvent.status': 'sent',
  'SendMessageAnswer.sid': '01a1f7b3-89b6-7000-bd3d-4fb81d1bee36',
  'SendMessageAnswer.status': 'queued',
  'CreateWorkspaceRequest.name': 'Acme Support',
  'ChangeWorkspaceRequest.name': 'Acme Support',
  'Workspace.name': 'Acme Support',
  'Workspace.country': 'US',
  'MemberWorkspace.country': 'US',
  'ProviderAccount.country': null,
  'Workspace.default_number': '+14155550100',
  'MemberWorkspace.name': 'Acme Support',
  'MemberWorkspace.default_number': '+14155550100',
  'Me.workspaces.name': 'Acme Support',
  'Me.carrier_simulated': false,
  'CreateApiKeyRequest.name': 'Order service',
  'CreatedApiKey.name': 'Order service',
  'ApiKey.name': 'Order service',
  'AddMemberRequest.role': 'member',
  'ChangeRoleRequest.role': 'owner',
  'AddSavedReplyRequest.name': 'Opening hours',
  'ChangeSavedReplyRequest.name': 'Opening hours',
  'SavedReply.name': 'Opening hours',
  ...savedViewOf('AddSavedViewRequest'),
  ...savedViewOf('ChangeSavedViewRequest'),
  ...savedViewOf('SavedView'),
  'ProviderStatusChange.type': 'twilio',
  'ProviderStatusChange.name': 'Main account',
  'ProviderStatusChange.status': 'ok',
  'ProviderStatusChange.status_detail': null,
  'ProviderStatusChange.status_since': null,
  'DisabledEndpoint.url': 'https://example.com/webhooks',
  'DisabledEndpoint.description': 'Orders',
  'AddWebhookEndpointRequest.url': 'https://example.com/webhooks',
  'ChangeWebhookEndpointRequest.url': 'https://example.com/webhooks',
  'ChangeWebhookEndpointRequest.description': 'Order service',
  'ChangeWebhookEndpointRequest.event_types': ['message.received', 'message.updated'],
  ...webhookEndpointOf('WebhookEndpoint'),
  ...webhookEndpointOf('CreatedWebhookEndpoint'),
  secret: 'whsec_AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=',
  since: '2026-11-20T09:00:00Z',
  until: '2026-11-20T10:00:00Z',
  'ReplayAnswer.events': 12,
  'RotateSecretRequest.overlap_seconds': 86_400,
  event_id: '01a1f7b3-89b6-7000-bd3d-4fb81d1bee36',
  event_type: 'message.updated',
  'WebhookDelivery.status': 'delivered',
  'WebhookDelivery.next_attempt_at': null,
  ...attemptOf('WebhookAttempt'),
  'Stats.interval': 'day',
  'ImportContactsAnswer.results.reason': null,
  ...fieldsOf('Stats', PERIOD),
  ...fieldsOf('ErrorCodes', PERIOD),
  ...fieldsOf('Delivery', PERIOD),
  'Stats.data.counts.direction': 'outbound',
  'Stats.data.counts.status': 'delivered',
  'Provider.type': 'twilio',
  'Provider.status_since': null,
  'Provider.status_detail': null,
  'VerifyProviderAnswer.detail': 'Twilio accepts the credentials.',
  'AuditEntry.actor.name': 'ada@example.com',
  'AuditEntry.action': 'api_key.created',
  'AuditEntry.target': '01a1f7b3-89b6-7000-bd3d-4fb81d1bee36',
  'AuditEntry.detail': { name: 'Order service' },
  'AddNoteRequest.body': 'Promised a call on Monday.',
  'Note.body': 'Promised a call on Monday.',
  'AddNoteRequest.mentions': [],
  'AddNoteRequest.mention_ranges': [],
  'ChangeConversationRequest.assignee_id': null,
  'Conversation.unread_count': 2,
  'ReadConversationRequest.message_id': '01a1f7b3-89b6-7000-bd3d-4fb81d1bee36',
  'Pagination.hasNext': false,
  'MessageList.pagination.hasNext': false,
};

function telnyxEventOf(type: string, payload: Record<string, unknown>) {
  const from = { phone_number: '+14155550100' };
  return { data: { event_type: type, payload: { id: VENDOR_MESSAGE_ID, from, ...payload } } };
}

function savedViewOf(schema: string): Record<string, unknown> {
  return fieldsOf(schema, { name: 'Not delivered', filters: { status: 'failed,undelivered' } });
}

function webhookEndpointOf(schema: string): Record<string, unknown> {
  return fieldsOf(schema, {
    url: 'https://example.com/webhooks',
    description: 'Order service',
    event_types: ['message.received', 'message.updated'],
    disabled_reason: null,
    failing_since: null,
    last_error: null,
  });
}

function attemptOf(schema: string): Record<string, unknown> {
  return fieldsOf(schema, { status_code: 204, duration_ms: 38, error: null, response: null });
}

function fieldsOf(schema: string, fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [`${schema}.${name}`, value]),
  );
}

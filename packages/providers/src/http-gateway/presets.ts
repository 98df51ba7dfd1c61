import * as texts from '#texts/http-gateway';

import type { CredentialField, CredentialForm, CredentialValue } from '../vendor-form.ts';

const API_KEY: CredentialField = {
  name: 'api_key',
  label: texts.apiKey,
  hint: texts.secretHint,
  isSecret: true,
};

/** The request that sends a message, as JSON. */
function describeSend(url: CredentialValue | undefined, headers: object, body: object) {
  return {
    method: 'POST',
    url,
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  };
}

/** Where apps since February 2026 report the sender, and where older ones do. */
const SMS_GATE_SENDER = ['payload.sender', 'payload.phoneNumber'];

/** https://docs.sms-gate.app/ */
const SMS_GATE: CredentialForm = {
  name: texts.smsGatewayForAndroid,
  about: texts.smsGateAbout,
  fields: [
    {
      name: 'address',
      label: texts.sendAddress,
      hint: texts.smsGateAddressHint,
    },
    { name: 'username', label: texts.userName, hint: texts.smsGateUserNameHint },
    {
      name: 'password',
      label: texts.password,
      hint: texts.secretHint,
      isSecret: true,
    },
    {
      name: 'signing_key',
      label: texts.signingKey,
      hint: texts.smsGateSigningKeyHint,
      isSecret: true,
      isOptional: true,
    },
    {
      name: 'phone_number',
      label: texts.phoneNumber,
      hint: texts.smsGatePhoneNumberHint,
      isOptional: true,
    },
  ],
  toCredentials: ({ address, username, password, signing_key: secret, phone_number: to }) => ({
    send: describeSend(
      address,
      { Authorization: `Basic ${toBase64(`${username}:${password}`)}` },
      { id: '{{id}}', textMessage: { text: '{{body}}' }, phoneNumbers: ['{{to}}'] },
    ),
    accepted: { statuses: [202], id_path: 'id' },
    refused: { statuses: [400, 401], detail_path: 'message' },
    ...(secret !== undefined && {
      status_webhook: {
        id_path: 'payload.messageId',
        status_path: 'event',
        map: { 'sms:sent': 'sent', 'sms:delivered': 'delivered', 'sms:failed': 'failed' },
        code_path: 'payload.reason',
        detail_path: 'payload.reason',
      },
      inbound_webhook: {
        id_path: 'id',
        // Some versions of the app report one SMS under two event ids.
        identity_paths: [SMS_GATE_SENDER, 'payload.receivedAt', 'payload.message'],
        from_path: SMS_GATE_SENDER,
        to_path: 'payload.recipient',
        ...(to !== undefined && { to }),
        body_path: 'payload.message',
        event_path: 'event',
        events: ['sms:received'],
      },
      signing: {
        header: 'X-Signature',
        timestamp_header: 'X-Timestamp',
        algorithm: 'hmac-sha256',
        secret,
      },
    }),
  }),
};

/** https://www.traccar.org/sms-gateway/ */
const TRACCAR: CredentialForm = {
  name: texts.traccarSmsGateway,
  about: texts.traccarAbout,
  fields: [
    {
      name: 'address',
      label: texts.addressOfGateway,
      hint: texts.traccarAddressHint,
    },
    { ...API_KEY, label: texts.apiKeyOrToken },
  ],
  toCredentials: ({ address, api_key: Authorization }) => ({
    send: describeSend(address, { Authorization }, { to: '{{to}}', message: '{{body}}' }),
    accepted: { statuses: [200] },
    refused: { statuses: [401] },
  }),
};

/** https://textbee.dev/docs */
const TEXTBEE: CredentialForm = {
  name: texts.textbee,
  about: texts.textbeeAbout,
  fields: [
    { name: 'device_id', label: texts.deviceId, hint: texts.textbeeDeviceIdHint },
    API_KEY,
    {
      name: 'signing_secret',
      label: texts.signingSecret,
      hint: texts.textbeeSigningSecretHint,
      isSecret: true,
      isOptional: true,
    },
    {
      name: 'phone_number',
      label: texts.phoneNumber,
      hint: texts.textbeePhoneNumberHint,
      isOptional: true,
    },
    {
      name: 'address',
      label: texts.ownServer,
      hint: texts.textbeeOwnServerHint,
      isOptional: true,
    },
  ],
  toCredentials: ({
    device_id: device,
    api_key: key,
    signing_secret: secret,
    phone_number: to,
    address = 'https://api.textbee.dev',
  }) => ({
    send: describeSend(
      `${String(address).replace(/\/+$/, '')}/api/v1/gateway/devices/${encodeURIComponent(String(device))}/send-sms`,
      { 'x-api-key': key },
      { recipients: ['{{to}}'], message: '{{body}}' },
    ),
    accepted: { statuses: [200, 201], id_path: 'data.smsBatchId' },
    refused: { statuses: [401] },
    ...(secret !== undefined && {
      status_webhook: {
        id_path: 'smsBatchId',
        status_path: 'webhookEvent',
        map: { MESSAGE_SENT: 'sent', MESSAGE_DELIVERED: 'delivered', MESSAGE_FAILED: 'failed' },
        code_path: 'errorCode',
        detail_path: 'errorMessage',
      },
      // The webhooks do not contain the number of the phone.
      ...(to !== undefined && {
        inbound_webhook: {
          id_path: 'smsId',
          identity_paths: ['sender', 'receivedAt', 'message'],
          from_path: 'sender',
          to,
          body_path: 'message',
          event_path: 'webhookEvent',
          events: ['MESSAGE_RECEIVED'],
        },
      }),
      signing: { header: 'X-Signature', algorithm: 'hmac-sha256', secret },
    }),
  }),
};

/** https://docs.httpsms.com/ */
const HTTP_SMS: CredentialForm = {
  name: texts.httpSms,
  about: texts.httpSmsAbout,
  fields: [
    API_KEY,
    {
      name: 'address',
      label: texts.ownServer,
      hint: texts.httpSmsOwnServerHint,
      isOptional: true,
    },
  ],
  toCredentials: ({ api_key: key, address = 'https://api.httpsms.com' }) => ({
    send: describeSend(
      `${String(address).replace(/\/+$/, '')}/v1/messages/send`,
      { 'x-api-key': key },
      { from: '{{from}}', to: '{{to}}', content: '{{body}}', request_id: '{{id}}' },
    ),
    accepted: { statuses: [200], id_path: 'data.id' },
    refused: { statuses: [400, 401, 422], detail_path: 'message' },
  }),
};

const EXAMPLE = {
  send: describeSend(
    'https://gateway.example.com/messages',
    { Authorization: 'Bearer …' },
    { to: '{{to}}', from: '{{from}}', text: '{{body}}' },
  ),
  accepted: { statuses: [200, 201, 202], id_path: 'id' },
  refused: { statuses: [400, 401], code_path: 'code', detail_path: 'message' },
};

const OTHER: CredentialForm = {
  name: texts.anotherGateway,
  about: texts.otherAbout,
  fields: [
    {
      name: 'description',
      label: texts.gatewayConfiguration,
      hint: texts.configurationHint,
      isLong: true,
      isJson: true,
      initial: JSON.stringify(EXAMPLE, null, 2),
    },
  ],
  toCredentials: ({ description }) => parseDescription(description),
};

export const GATEWAY_PRESETS = [SMS_GATE, TRACCAR, TEXTBEE, HTTP_SMS, OTHER] as const;

/** The form that changes a gateway, whichever preset was used to add it. */
export const GATEWAY_CHANGE: CredentialForm = {
  name: texts.change,
  about: texts.changeAbout,
  fields: [
    {
      name: 'description',
      label: texts.changes,
      hint: texts.changesHint,
      isLong: true,
      isJson: true,
      isOptional: true,
    },
  ],
  toCredentials: ({ description }) => parseDescription(description),
};

function parseDescription(
  description: CredentialValue | undefined,
): Record<string, unknown> | undefined {
  if (typeof description !== 'string') return undefined;
  // The field accepts only JSON objects.
  return JSON.parse(description) as Record<string, unknown>;
}

function toBase64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

import type { CredentialField, CredentialValue } from './credential-field.ts';

type Values = Readonly<Record<string, CredentialValue | undefined>>;

/** A form for the credentials of one kind of gateway. */
export interface CredentialForm {
  name: string;
  about: string;
  fields: readonly CredentialField[];
  /** Returns the credentials for the API; undefined if nothing was entered. */
  toCredentials(values: Values): Record<string, unknown> | undefined;
}

const API_KEY: CredentialField = {
  name: 'api_key',
  label: 'API key',
  hint: 'Stored encrypted and never shown again.',
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

/** https://docs.sms-gate.app/ */
const SMS_GATE: CredentialForm = {
  name: 'SMS Gateway for Android',
  about:
    'Start the local server in the app, or use its cloud or private server. The home page of the app shows the address, the user name and the password.',
  fields: [
    {
      name: 'address',
      label: 'Address that receives messages to send',
      hint: 'On the phone, for example http://192.168.1.20:8080/message. In the cloud, https://api.sms-gate.app/3rdparty/v1/messages.',
    },
    { name: 'username', label: 'User name', hint: 'As the app shows it.' },
    {
      name: 'password',
      label: 'Password',
      hint: 'Stored encrypted and never shown again.',
      isSecret: true,
    },
    {
      name: 'signing_key',
      label: 'Signing key (optional)',
      hint: 'In the app: Settings, Webhooks, Signing Key. It is needed for statuses and received messages.',
      isSecret: true,
      isOptional: true,
    },
    {
      name: 'phone_number',
      label: 'Number of the phone (optional)',
      hint: 'For example +14155550123. Some phones don’t know their number.',
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
      },
      inbound_webhook: {
        id_path: 'id',
        from_path: 'payload.sender',
        to_path: 'payload.recipient',
        ...(to !== undefined && { to }),
        body_path: 'payload.message',
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
  name: 'Traccar SMS Gateway',
  about:
    'The app shows its address and its key. It can only send: it reports neither statuses nor received messages.',
  fields: [
    {
      name: 'address',
      label: 'Address of the gateway',
      hint: 'On the phone, for example http://192.168.1.20:8082/. In the cloud, https://www.traccar.org/sms/.',
    },
    { ...API_KEY, label: 'API key or token' },
  ],
  toCredentials: ({ address, api_key: Authorization }) => ({
    send: describeSend(address, { Authorization }, { to: '{{to}}', message: '{{body}}' }),
    accepted: { statuses: [200] },
    refused: { statuses: [401] },
  }),
};

/** https://textbee.dev/docs */
const TEXTBEE: CredentialForm = {
  name: 'textbee',
  about:
    'Register the phone in the textbee dashboard. For statuses and received messages, add webhooks to the configuration of the account later.',
  fields: [
    { name: 'device_id', label: 'Device ID', hint: 'The textbee dashboard shows it.' },
    API_KEY,
    {
      name: 'address',
      label: 'Address of your own server (optional)',
      hint: 'Instead of https://api.textbee.dev.',
      isOptional: true,
    },
  ],
  toCredentials: ({ device_id: device, api_key: key, address = 'https://api.textbee.dev' }) => ({
    send: describeSend(
      `${String(address).replace(/\/+$/, '')}/api/v1/gateway/devices/${encodeURIComponent(String(device))}/send-sms`,
      { 'x-api-key': key },
      { recipients: ['{{to}}'], message: '{{body}}' },
    ),
    accepted: { statuses: [200, 201], id_path: 'data.smsBatchId' },
    refused: { statuses: [401] },
  }),
};

/** https://docs.httpsms.com/ */
const HTTP_SMS: CredentialForm = {
  name: 'httpSMS',
  about:
    'Its settings page shows the API key. This form does not support its webhook signatures, so the account can only send.',
  fields: [
    API_KEY,
    {
      name: 'address',
      label: 'Address of your own server (optional)',
      hint: 'Instead of https://api.httpsms.com.',
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
  name: 'Another gateway',
  about:
    'Describe the request that sends a message. {{to}}, {{from}}, {{body}}, {{id}} and {{status_url}} stand for the values of a message. docs/providers/http.md lists everything that a configuration may contain.',
  fields: [
    {
      name: 'description',
      label: 'Configuration of the gateway',
      hint: 'A JSON object. Header values are stored encrypted and never shown again.',
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
  name: 'Change',
  about: 'Secrets are not shown. If you change the address, enter all headers and the body again.',
  fields: [
    {
      name: 'description',
      label: 'Changes (optional)',
      hint: 'A JSON object, for example {"signing": {"secret": "…"}}. Omitted parts are kept, and null removes a part.',
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

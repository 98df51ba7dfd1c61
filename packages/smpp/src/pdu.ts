import type { Command } from './commands.ts';

/** Optional parameters by tag. */
export type Tlvs = ReadonlyMap<number, Buffer>;

export interface BindFields {
  systemId: string;
  password: string;
  systemType: string;
  interfaceVersion: number;
  addressTon: number;
  addressNpi: number;
  addressRange: string;
}

/** The fields of submit_sm and deliver_sm. */
export interface MessageFields {
  serviceType: string;
  sourceTon: number;
  sourceNpi: number;
  source: string;
  destinationTon: number;
  destinationNpi: number;
  destination: string;
  esmClass: number;
  protocolId: number;
  priority: number;
  scheduleTime: string;
  validityPeriod: string;
  registeredDelivery: number;
  replaceIfPresent: number;
  dataCoding: number;
  defaultMessageId: number;
  shortMessage: Buffer;
}

/** The fields of data_sm, whose text is the optional parameter `message_payload`. */
type DataFields = Omit<
  MessageFields,
  | 'protocolId'
  | 'priority'
  | 'scheduleTime'
  | 'validityPeriod'
  | 'replaceIfPresent'
  | 'defaultMessageId'
  | 'shortMessage'
>;

export type BindCommand = 'bind_receiver' | 'bind_transmitter' | 'bind_transceiver';
export type MessageCommand = 'submit_sm' | 'deliver_sm';
type BindResponse = `${BindCommand}_resp`;
type MessageResponse = `${MessageCommand | 'data_sm'}_resp`;
type Empty = Exclude<
  Command,
  BindCommand | MessageCommand | 'data_sm' | BindResponse | MessageResponse
>;

/** A PDU without its sequence number. Responses have a status, requests have 0. */
export type PduContent =
  | ({ command: BindCommand; status?: number; tlvs?: Tlvs } & BindFields)
  | { command: BindResponse; status: number; systemId: string; tlvs?: Tlvs }
  | ({ command: MessageCommand; status?: number; tlvs?: Tlvs } & MessageFields)
  | ({ command: 'data_sm'; status?: number; tlvs?: Tlvs } & DataFields)
  | { command: MessageResponse; status: number; messageId: string; tlvs?: Tlvs }
  | { command: Empty; status?: number; tlvs?: Tlvs };

/** A PDU that was read. */
export type Pdu = PduContent & { sequence: number; status: number; tlvs: Tlvs };

export type MessagePdu = Extract<Pdu, { command: MessageCommand }>;

/** A PDU with which an SMSC delivers a message or a receipt. */
export type DeliveredPdu = MessagePdu | Extract<Pdu, { command: 'data_sm' }>;

export type Kind = 'string' | 'byte' | 'short_message';
type Layout = readonly (readonly [field: string, kind: Kind])[];

const BIND: Layout = [
  ['systemId', 'string'],
  ['password', 'string'],
  ['systemType', 'string'],
  ['interfaceVersion', 'byte'],
  ['addressTon', 'byte'],
  ['addressNpi', 'byte'],
  ['addressRange', 'string'],
];
/** How the two PDUs with a text begin. */
const ADDRESSES: Layout = [
  ['serviceType', 'string'],
  ['sourceTon', 'byte'],
  ['sourceNpi', 'byte'],
  ['source', 'string'],
  ['destinationTon', 'byte'],
  ['destinationNpi', 'byte'],
  ['destination', 'string'],
  ['esmClass', 'byte'],
];
const DATA: Layout = [...ADDRESSES, ['registeredDelivery', 'byte'], ['dataCoding', 'byte']];
const MESSAGE: Layout = [
  ...ADDRESSES,
  ['protocolId', 'byte'],
  ['priority', 'byte'],
  ['scheduleTime', 'string'],
  ['validityPeriod', 'string'],
  ['registeredDelivery', 'byte'],
  ['replaceIfPresent', 'byte'],
  ['dataCoding', 'byte'],
  ['defaultMessageId', 'byte'],
  ['shortMessage', 'short_message'],
];

/** Returns the mandatory parameters of a command, in their order. */
export function layoutOf(command: Command): Layout {
  switch (command) {
    case 'bind_receiver':
    case 'bind_transmitter':
    case 'bind_transceiver':
      return BIND;
    case 'submit_sm':
    case 'deliver_sm':
      return MESSAGE;
    case 'data_sm':
      return DATA;
    case 'bind_receiver_resp':
    case 'bind_transmitter_resp':
    case 'bind_transceiver_resp':
      return [['systemId', 'string']];
    case 'submit_sm_resp':
    case 'deliver_sm_resp':
    case 'data_sm_resp':
      return [['messageId', 'string']];
    default:
      return [];
  }
}

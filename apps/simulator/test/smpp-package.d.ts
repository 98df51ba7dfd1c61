/** The part of the package `smpp` that the tests use. It has no types of its own. */
declare module 'smpp' {
  import type { EventEmitter } from 'node:events';
  import type { Server } from 'node:net';

  export interface Pdu {
    command: string;
    command_status: number;
    sequence_number: number;
    message_id?: string;
    system_id?: string;
    password?: string;
    system_type?: string;
    interface_version?: number;
    address_range?: string;
    service_type?: string;
    source_addr_ton?: number;
    source_addr_npi?: number;
    source_addr?: string;
    dest_addr_ton?: number;
    dest_addr_npi?: number;
    destination_addr?: string;
    esm_class?: number;
    priority_flag?: number;
    registered_delivery?: number;
    data_coding?: number;
    short_message?: { message: string; udh?: Buffer[] };
    receipted_message_id?: string;
    message_state?: number;
    response(options?: object): Pdu;
  }

  export interface Session extends EventEmitter {
    bind_transceiver(options: object, onResponse: (pdu: Pdu) => void): boolean;
    bind_transmitter(options: object, onResponse: (pdu: Pdu) => void): boolean;
    submit_sm(options: object, onResponse: (pdu: Pdu) => void): boolean;
    enquire_link(options: object, onResponse: (pdu: Pdu) => void): boolean;
    unbind(options: object, onResponse: (pdu: Pdu) => void): boolean;
    deliver_sm(options: object, onResponse: (pdu: Pdu) => void): boolean;
    data_sm(options: object, onResponse: (pdu: Pdu) => void): boolean;
    send(pdu: Pdu): boolean;
    close(): void;
    destroy(): void;
  }

  interface Smpp {
    connect(options: { url: string }): Session;
    createServer(onSession: (session: Session) => void): Server;
    ESME_ROK: number;
    ESME_RINVPASWD: number;
    ESME_RINVBNDSTS: number;
    ESME_RBINDFAIL: number;
    ESME_RTHROTTLED: number;
    ESME_RSYSERR: number;
    ESME_RMSGQFUL: number;
    ESME_RINVDSTADR: number;
  }

  const smpp: Smpp;
  export default smpp;
}

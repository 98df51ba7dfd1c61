import { type Pdu, type PduContent, type Session, STATUS, createSession } from '@switchboard/smpp';

import { explainStatus, refusesCredentials } from './command-status.ts';
import { describeError } from '../http/describe-error.ts';
import type { SmppSettings } from './credentials.ts';
import type { OpenConnection } from './open-connection.ts';

export type BindRole = 'transceiver' | 'transmitter' | 'receiver';

export type BindOutcome =
  | { kind: 'bound'; session: Session }
  /** The SMSC refuses the credentials. */
  | { kind: 'refused'; detail: string }
  /** No connection, no response, or an error that says nothing about the credentials. */
  | { kind: 'failed'; status: number | null; detail: string };

export interface BindOptions {
  openConnection: OpenConnection;
  settings: SmppSettings;
  role: BindRole;
  /** The limit for the response to the bind. */
  timeoutMs: number;
  signal: AbortSignal;
  /** Returns a promise of the response to a message, and null for other requests. */
  onRequest(pdu: Pdu, session: Session): Promise<void> | null;
  onClose(): void;
}

const INTERFACE_VERSION = 0x34;

/** Connects and binds. Never rejects. A connection that is not bound is closed. */
export async function bind(options: BindOptions): Promise<BindOutcome> {
  const { openConnection, settings, role, signal } = options;
  const connection = await openConnection(settings, signal).catch((error: unknown) =>
    describeError(error),
  );
  if (typeof connection === 'string') return { kind: 'failed', status: null, detail: connection };
  const session: Session = createSession(connection, {
    onRequest: (pdu) => options.onRequest(pdu, session),
    onClose: options.onClose,
  });
  const abandon = (): void => session.destroy();
  signal.addEventListener('abort', abandon, { once: true });
  if (signal.aborted) abandon();
  const result = await session.request(formatBind(settings, role), options.timeoutMs);
  signal.removeEventListener('abort', abandon);
  if (result.type === 'response' && result.pdu.status === STATUS.ESME_ROK) {
    if (result.pdu.command !== 'generic_nack') return { kind: 'bound', session };
  }
  session.destroy();
  if (result.type !== 'response') {
    const detail = session.excess ?? 'The SMSC did not respond to the bind.';
    return { kind: 'failed', status: null, detail };
  }
  const { status } = result.pdu;
  const detail = explainStatus(status);
  return refusesCredentials(status)
    ? { kind: 'refused', detail }
    : { kind: 'failed', status, detail };
}

function formatBind(settings: SmppSettings, role: BindRole): PduContent {
  const { systemId, password, systemType } = settings;
  return {
    command: `bind_${role}`,
    systemId,
    password,
    systemType,
    interfaceVersion: INTERFACE_VERSION,
    addressTon: 0,
    addressNpi: 0,
    addressRange: '',
  };
}

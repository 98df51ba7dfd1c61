import type { Http } from '../http.ts';

/** The providers that the carrier simulates, each with its own API and faults. */
export const PROVIDERS = ['twilio', 'telnyx', 'smpp', 'vonage'] as const;

export type ProviderName = (typeof PROVIDERS)[number];

/** One message that the carrier accepted, as in its ledger. */
export interface LedgerLine {
  sid: string;
  account_sid: string;
  to: string;
  /** The text of the request. */
  body: string;
  /** The text that the carrier sends and reports. */
  sent_body: string;
  media_urls: readonly string[];
  accepted_at: string;
}

/** One message from a handset that the carrier has to deliver to the service. */
export interface InboundLine {
  sid: string;
  provider: string;
  account_sid: string;
  to: string;
  from: string;
  body: string;
}

/** The carrier's delivery of one inbound message: the status of the last response, and the attempts. */
export interface Delivery {
  sid: string;
  status: number | null;
  attempts: number;
}

/** Faults of the carrier: fields of `PUT /simulator/behaviour`. */
export type Behaviour = Record<string, number>;

export interface CarrierAccount {
  accountSid: string;
  authToken: string;
}

export type Credentials = Record<string, string | number | boolean>;

export interface Carrier {
  url: string;
  /** Changes the faults of one provider, or of all providers without `provider`. */
  behave(behaviour: Behaviour, provider?: ProviderName): Promise<void>;
  /**
   * Creates an account with a number, and returns its credentials as the service requires them.
   */
  createAccount(type: Exclude<ProviderName, 'twilio'>, number: string): Promise<Credentials>;
  readLedger(): Promise<LedgerLine[]>;
  /** Sends from a handset. Resolves when the carrier has delivered the message or stopped trying. */
  receive(message: {
    from: string;
    to: string;
    body: string;
    received_ago_ms?: number;
  }): Promise<Delivery>;
  readInboundLedger(): Promise<InboundLine[]>;
  /** Returns the status of each message of an account by its identifier. */
  readStatuses(account: CarrierAccount): Promise<Map<string, string>>;
}

interface MessagePage {
  messages: { sid: string; status: string }[];
  next_page_uri: string | null;
}

/** Controls the simulator as an operator of the carrier would. */
export function createCarrier(url: string, http: Http): Carrier {
  const control = `${url}/simulator`;

  async function getLines<Line>(path: string): Promise<Line[]> {
    const lines = (await http.callText(control + path)).split('\n').filter((line) => line !== '');
    return lines.map((line) => JSON.parse(line) as Line);
  }

  return {
    url,

    async behave(behaviour, provider) {
      const body = { ...behaviour, ...(provider !== undefined && { provider }) };
      await http.callText(`${control}/behaviour`, { method: 'PUT', body });
    },
    async createAccount(type, number) {
      const body = { type, number };
      const request = { method: 'POST', body } as const;
      const created = await http.call<{ credentials: Credentials }>(`${control}/accounts`, request);
      return created.credentials;
    },
    readLedger: () => getLines('/ledger'),
    receive: (body) => http.call<Delivery>(`${control}/inbound`, { method: 'POST', body }),
    readInboundLedger: () => getLines('/inbound-ledger'),

    async readStatuses({ accountSid, authToken }) {
      const credentials = Buffer.from(`${accountSid}:${authToken}`).toString('base64');
      const headers = { authorization: `Basic ${credentials}` };
      const statuses = new Map<string, string>();
      let path: string | null = `/2010-04-01/Accounts/${accountSid}/Messages.json?PageSize=1000`;
      while (path !== null) {
        const page: MessagePage = await http.call(url + path, { headers });
        for (const { sid, status } of page.messages) statuses.set(sid, status);
        path = page.next_page_uri;
      }
      return statuses;
    },
  };
}

import type { Http } from './http.ts';

/** One message that the carrier has taken, as its ledger has it. */
export interface LedgerLine {
  sid: string;
  account_sid: string;
  to: string;
  body: string;
  accepted_at: string;
}

/** How the carrier misbehaves: fields of `PUT /simulator/behaviour`. */
export type Behaviour = Record<string, number>;

export interface CarrierAccount {
  accountSid: string;
  authToken: string;
}

export interface Carrier {
  url: string;
  behave(behaviour: Behaviour): Promise<void>;
  readLedger(): Promise<LedgerLine[]>;
  /** What each message of an account has come to, by its identifier. */
  readStatuses(account: CarrierAccount): Promise<Map<string, string>>;
}

interface MessagePage {
  messages: { sid: string; status: string }[];
  next_page_uri: string | null;
}

const TIMEOUT_MS = 20_000;

export function createCarrier(url: string, http: Http): Carrier {
  async function get(path: string, headers: Record<string, string> = {}): Promise<string> {
    const answer = await http.ask(url + path, { headers, timeoutMs: TIMEOUT_MS });
    if (answer.status !== 200)
      throw new Error(`The carrier answered ${path} with ${answer.status}`);
    return answer.text;
  }

  return {
    url,

    async behave(behaviour) {
      const answer = await http.ask(`${url}/simulator/behaviour`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(behaviour),
        timeoutMs: TIMEOUT_MS,
      });
      if (answer.status !== 200) throw new Error(`The carrier refused: ${answer.text}`);
    },

    async readLedger() {
      const lines = (await get('/simulator/ledger')).split('\n').filter((line) => line !== '');
      return lines.map((line) => JSON.parse(line) as LedgerLine);
    },

    async readStatuses({ accountSid, authToken }) {
      const credentials = Buffer.from(`${accountSid}:${authToken}`).toString('base64');
      const statuses = new Map<string, string>();
      let path: string | null = `/2010-04-01/Accounts/${accountSid}/Messages.json?PageSize=1000`;
      while (path !== null) {
        const text = await get(path, { authorization: `Basic ${credentials}` });
        const page = JSON.parse(text) as MessagePage;
        for (const { sid, status } of page.messages) statuses.set(sid, status);
        path = page.next_page_uri;
      }
      return statuses;
    },
  };
}

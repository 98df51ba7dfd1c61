import type { LoadPlan, LoadProgram } from './load-plan.ts';

interface Program {
  /** The status of a response that accepts the message. */
  acceptedStatus: number;
  /** Writes the whole request with this number. */
  createRequest(plan: LoadPlan, url: URL, number: number): string;
}

export const PROGRAMS: Record<LoadProgram, Program> = {
  service: {
    acceptedStatus: 201,
    createRequest({ apiKeys }, { hostname }, number) {
      const key = apiKeys[number % apiKeys.length];
      const body = `{"to":"${toRecipient(number)}","body":"${toText(number)}"}`;
      return (
        `POST /api/messages HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${key}\r\n` +
        `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
      );
    },
  },
  kannel: {
    acceptedStatus: 202,
    createRequest(_plan, { hostname, pathname, search }, number) {
      const from = '%2B15005550006';
      const to = encodeURIComponent(toRecipient(number));
      const text = toText(number).replaceAll(' ', '+').replace(',', '%2C');
      const query = `${search}&from=${from}&to=${to}&text=${text}`;
      return `GET ${pathname}${query} HTTP/1.1\r\nhost: ${hostname}\r\n\r\n`;
    },
  },
};

function toRecipient(number: number): string {
  return `+1202${String(number % 10_000_000).padStart(7, '0')}`;
}

function toText(number: number): string {
  return `Your table for two is booked, number ${number}.`;
}

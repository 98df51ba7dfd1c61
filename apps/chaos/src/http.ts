import { Agent, request } from 'undici';

export interface Answer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  text: string;
}

export interface RequestOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  headers?: Record<string, string>;
  body?: string;
  timeoutMs: number;
}

/** The HTTP client of a run. `send` rejects if no complete response arrives within `timeoutMs`. */
export interface Http {
  send(url: string, options: RequestOptions): Promise<Answer>;
  close(): Promise<void>;
}

const CONNECTIONS_PER_HOST = 256;

export function createHttp(): Http {
  const agent = new Agent({ connections: CONNECTIONS_PER_HOST });
  return {
    async send(url, { timeoutMs, ...options }) {
      const answer = await request(url, {
        ...options,
        dispatcher: agent,
        signal: AbortSignal.timeout(timeoutMs),
      });
      return {
        status: answer.statusCode,
        headers: answer.headers,
        text: await answer.body.text(),
      };
    },
    close: () => agent.destroy(),
  };
}

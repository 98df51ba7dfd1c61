import { Agent, request } from 'undici';

export interface Answer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  text: string;
}

export interface Asked {
  method?: 'GET' | 'POST' | 'PUT';
  headers?: Record<string, string>;
  body?: string;
  timeoutMs: number;
}

/** The HTTP client of a run. `ask` rejects if no complete response arrives within `timeoutMs`. */
export interface Http {
  ask(url: string, asked: Asked): Promise<Answer>;
  close(): Promise<void>;
}

const CONNECTIONS_PER_HOST = 256;

export function createHttp(): Http {
  const agent = new Agent({ connections: CONNECTIONS_PER_HOST });
  return {
    async ask(url, { timeoutMs, ...asked }) {
      const answer = await request(url, {
        ...asked,
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

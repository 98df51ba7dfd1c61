import { request } from 'node:http';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    testServicesPort: number;
  }
}

/** Sends a request to vitest's main process; see `test-services.ts`. Leaves no connection open. */
export function requestTestServices(method: 'POST' | 'DELETE', path: string): Promise<unknown> {
  const port = inject('testServicesPort');
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method, path, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        text += part;
      });
      response.once('error', reject);
      response.once('end', () => {
        if (response.statusCode === 200) resolve(JSON.parse(text));
        else reject(new Error(text));
      });
    });
    // The slowest response comes after the download of a package.
    sent.setTimeout(900_000, () => sent.destroy(new Error(`${method} ${path}: no response`)));
    sent.once('error', reject);
    sent.end();
  });
}

/** Returns the path of a program, which the run finds or fetches once. */
export async function requestProgram(name: 'redis-server' | 'pgbouncer'): Promise<string> {
  const { path } = (await requestTestServices('POST', `/${name}`)) as { path: string };
  return path;
}

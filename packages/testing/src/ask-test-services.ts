import { request } from 'node:http';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    testServicesPort: number;
  }
}

/** Sends a request to vitest's main process; see `test-services.ts`. Leaves no connection open. */
export function askTestServices(method: 'POST' | 'DELETE', path: string): Promise<unknown> {
  const port = inject('testServicesPort');
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, method, path, agent: false }, (response) => {
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
    asked.setTimeout(120_000, () => asked.destroy(new Error(`${method} ${path}: no answer`)));
    asked.once('error', reject);
    asked.end();
  });
}

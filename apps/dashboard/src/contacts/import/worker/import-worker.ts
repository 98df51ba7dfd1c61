import { createImporter } from './create-importer.ts';
import type { WorkerCall, WorkerMessage } from './messages.ts';

const importer = createImporter();
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker posts to its page alone
const send = (message: WorkerMessage): void => self.postMessage(message);

self.addEventListener('message', ({ data }: MessageEvent<WorkerCall>) => {
  const { id } = data;
  void call(data).then(
    (result) => send({ id, result }),
    (error: unknown) => send({ id, error: String(error) }),
  );
});

function call(request: WorkerCall): Promise<unknown> {
  const { id } = request;
  switch (request.name) {
    case 'open':
      return importer.open(...request.parameters);
    case 'read':
      return importer.read(...request.parameters);
    case 'plan':
      return importer.plan(...request.parameters, (rows) => send({ id, rows }));
    case 'batch':
      return importer.batch(...request.parameters);
  }
}

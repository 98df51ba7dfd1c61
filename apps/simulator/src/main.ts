import { createSimulator } from './app.ts';
import { parseConfig } from './config.ts';

function fail(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

async function main(): Promise<void> {
  const { host, port, dataDir, logLevel } = parseConfig();
  const simulator = createSimulator({ dataDir, logLevel });

  let isStopping = false;
  function stop(): void {
    if (isStopping) return;
    isStopping = true;
    simulator.close().then(
      () => process.exit(0),
      (cause: unknown) => fail(`The carrier simulator did not stop cleanly: ${String(cause)}`),
    );
  }
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  // A child process stops when its parent exits.
  process.on('disconnect', stop);

  const url = await simulator.listen({ host, port });
  console.log(`Carrier simulator listening on ${url}`);
  process.send?.({ type: 'ready', url, providerUrls: simulator.providerUrls() });
}

main().catch((cause: unknown) => {
  const { code, message } = cause as NodeJS.ErrnoException;
  fail(
    code === 'EADDRINUSE'
      ? `The carrier simulator can't start: its port is in use (${message}). Set SIMULATOR_PORT to a free port.`
      : `The carrier simulator can't start: ${message}`,
  );
});

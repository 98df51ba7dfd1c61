import { type Relay, startRelay } from '../processes/start-relay.ts';

// A process of its own: a busy test must not slow down what the nodes say to each other.
// Arguments: the ports that it leads to. SIGUSR2 cuts all of it, SIGHUP lets it pass again.
const relays: Relay[] = [];
for (const port of process.argv.slice(2)) relays.push(await startRelay([Number(port)]));

process.on('SIGUSR2', () => {
  for (const relay of relays) void relay.refuse();
});
process.on('SIGHUP', () => {
  for (const relay of relays) void relay.accept();
});
process.send?.({ type: 'ready', url: relays.map(({ url }) => new URL(url).port).join(',') });

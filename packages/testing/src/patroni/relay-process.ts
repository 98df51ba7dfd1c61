import { type Relay, startRelay } from '../processes/start-relay.ts';

// Runs as a separate process, so that a busy test does not slow down the traffic between the nodes.
// Arguments: the target ports. SIGUSR2 cuts all connections, SIGHUP allows them again.
const relays: Relay[] = [];
for (const port of process.argv.slice(2)) relays.push(await startRelay([Number(port)]));

process.on('SIGUSR2', () => {
  for (const relay of relays) void relay.refuse();
});
process.on('SIGHUP', () => {
  for (const relay of relays) void relay.accept();
});
// Without a listener on the channel, the process would end as soon as all connections are cut.
process.on('disconnect', () => process.exit());
process.send?.({ type: 'ready', url: relays.map(({ url }) => new URL(url).port).join(',') });

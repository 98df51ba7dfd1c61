import { type Http, type WorkspaceFixture, callAtRate } from '@switchboard/testing';

/** Sends messages through the APIs in turn and ignores the responses. Returns a function that stops the load. */
export function startLoad(
  http: Http,
  apiUrls: readonly string[],
  { apiKey }: WorkspaceFixture,
  perSecond: number,
): () => Promise<void> {
  // A random start, so that two loads rarely use the same recipients.
  const first = Math.floor(Math.random() * 9_000_000);
  return callAtRate(perSecond, async (number) => {
    const to = `+1555${String((first + number) % 10_000_000).padStart(7, '0')}`;
    const request = {
      method: 'POST',
      token: apiKey,
      body: { to, body: `Message ${number}` },
    } as const;
    // Faults make requests fail. The alerts are checked in Prometheus.
    await http.send(`${apiUrls[number % apiUrls.length]}/api/messages`, request).catch(() => null);
  });
}

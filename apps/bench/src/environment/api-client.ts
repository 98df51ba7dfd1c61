import { request } from 'undici';

/** Sends one message, now or at `at`, and returns its id. */
export async function sendMessage(
  url: string,
  apiKey: string,
  body: string,
  scheduledAt: Date | null = null,
): Promise<string> {
  const answer = await request(`${url}/api/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      to: '+12025550123',
      body,
      ...(scheduledAt !== null && { scheduled_at: scheduledAt.toISOString() }),
    }),
  });
  if (answer.statusCode !== 201)
    throw new Error(`The API responded with ${await answer.body.text()}`);
  return ((await answer.body.json()) as { id: string }).id;
}

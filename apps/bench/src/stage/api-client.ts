import { request } from 'undici';

/** Sends one message; its id. */
export async function sendMessage(url: string, apiKey: string, body: string): Promise<string> {
  const answer = await request(`${url}/api/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ to: '+12025550123', body }),
  });
  if (answer.statusCode !== 201) throw new Error(`The API answered ${await answer.body.text()}`);
  return ((await answer.body.json()) as { id: string }).id;
}

import { request } from 'undici';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH';

/** Makes a request of the API, the dashboard or the simulator, however long the response takes. */
export async function exchange(method: Method, url: string, token: string, body?: object) {
  const response = await request(url, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return { status: response.statusCode, text: await response.body.text() };
}

/** Returns the body of a successful response. */
export async function callText(...of: Parameters<typeof exchange>): Promise<string> {
  const { status, text } = await exchange(...of);
  if (status < 300) return text;
  throw new Error(`${of[0]} ${of[1]}: the response was ${status} ${text}`);
}

export async function call<Body>(...of: Parameters<typeof exchange>): Promise<Body> {
  return JSON.parse(await callText(...of)) as Body;
}

/** Sends one message, now or at `scheduledAt`, and returns its id. */
export async function sendMessage(
  url: string,
  apiKey: string,
  body: string,
  scheduledAt?: Date,
): Promise<string> {
  const message = { to: '+12025550123', body, scheduled_at: scheduledAt?.toISOString() };
  const { id } = await call<{ id: string }>('POST', `${url}/api/messages`, apiKey, message);
  return id;
}

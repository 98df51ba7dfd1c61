import { request } from 'undici';
import type { ChildProcess } from '@switchboard/testing';

/** Changes a setting of the carrier, for example `latency/200`. */
export async function configureCarrier(carrier: ChildProcess, what: string): Promise<void> {
  const answer = await request(`${carrier.url}/${what}`, { method: 'PUT' });
  await answer.body.dump();
  if (answer.statusCode !== 200) throw new Error(`The carrier responded with ${answer.statusCode}`);
}

import { expect, test } from 'vitest';
import { createClient, makeAccountSid, startSimulator } from './start-simulator.ts';

test('the first token of an account becomes its token, and another token is refused', async () => {
  const { client, url, accountSid } = await startSimulator();
  const account = await client.api.v2010.accounts(accountSid).fetch();
  expect(account).toMatchObject({ sid: accountSid, status: 'active', type: 'Full' });

  const intruder = createClient(url, accountSid, 'another');
  await expect(intruder.api.v2010.accounts(accountSid).fetch()).rejects.toMatchObject({
    status: 401,
    code: 20003,
    message: 'Authenticate',
  });
});

test('the token of an account survives a restart', async () => {
  const first = await startSimulator();
  await first.client.messages.list();
  await first.close();
  const { url, accountSid, client } = await startSimulator(first);
  await expect(createClient(url, accountSid, 'another').messages.list()).rejects.toMatchObject({
    code: 20003,
  });
  expect(await client.messages.list()).toEqual([]);
});

test('a request without credentials or with those of another account is refused', async () => {
  const { url, accountSid, token, client } = await startSimulator();
  await client.messages.list();
  const path = `${url}/2010-04-01/Accounts/${makeAccountSid()}/Messages.json`;
  const authorization = `Basic ${Buffer.from(`${accountSid}:${token}`).toString('base64')}`;
  expect((await fetch(path, { headers: { authorization } })).status).toBe(401);
  expect((await fetch(path)).status).toBe(401);
});

test("an unknown route responds with Twilio's 404 body", async () => {
  const { url } = await startSimulator();
  const answer = await fetch(`${url}/2010-04-01/Nothing.json`);
  expect(answer.status).toBe(404);
  expect(await answer.json()).toMatchObject({ code: 20404, status: 404 });
});

test('a number belongs to the account that requests it first', async () => {
  const { client, url } = await startSimulator();
  const phoneNumber = '+15557770001';
  const [number] = await client.incomingPhoneNumbers.list({ phoneNumber });
  expect(number).toMatchObject({ phoneNumber, smsUrl: '', smsMethod: 'POST' });
  expect(number?.capabilities).toMatchObject({ sms: true, mms: true });
  expect((await client.incomingPhoneNumbers.list({ phoneNumber }))[0]?.sid).toBe(number?.sid);

  const other = createClient(url, makeAccountSid(), 'token');
  expect(await other.incomingPhoneNumbers.list({ phoneNumber })).toEqual([]);
  expect(await other.incomingPhoneNumbers.list()).toEqual([]);
  await expect(
    other.incomingPhoneNumbers(number?.sid ?? '').update({ smsUrl: 'http://h/' }),
  ).rejects.toMatchObject({ status: 404 });
});

test("a number's SmsUrl can be set and read, and survives a restart", async () => {
  const first = await startSimulator();
  const [number] = await first.client.incomingPhoneNumbers.list({ phoneNumber: '+15557770001' });
  const sid = number?.sid ?? '';
  const smsUrl = 'https://example.com/in?a=b';
  await first.client.incomingPhoneNumbers(sid).update({ smsUrl, smsMethod: 'GET' });
  await first.close();
  const { client } = await startSimulator(first);
  expect(await client.incomingPhoneNumbers(sid).fetch()).toMatchObject({
    smsUrl,
    smsMethod: 'GET',
  });
  expect(await client.incomingPhoneNumbers.list({ phoneNumber: '777*001' })).toHaveLength(1);
  expect(await client.incomingPhoneNumbers.list({ phoneNumber: '888' })).toHaveLength(0);
});

test('GET /health responds with 200', async () => {
  const { url } = await startSimulator();
  expect((await fetch(`${url}/health`)).status).toBe(200);
});

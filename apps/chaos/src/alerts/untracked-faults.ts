import { repeat } from '@switchboard/testing';
import { createHmac, randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Fault } from './fault.ts';
import type { Service } from './start-service.ts';

const EVERY_MS = 10_000;
/** The simulator answers 500 for this recipient, but accepts the message. */
const ACCEPTED_WITH_ERROR = '+15005550021';
const HANDSET = '+16285550100';

/** Creates faults with messages that exist at the provider but have no row. */
export function createUntrackedFaults(service: Service) {
  const { http, api, carrier, postgres } = service;
  const { workspaceId, apiKey, accountSid, authToken, from } = service.workspaces.quiet;

  async function sendHere(body: string): Promise<void> {
    const message = { to: ACCEPTED_WITH_ERROR, body };
    const request = { method: 'POST', token: apiKey, body: message } as const;
    await http.call(`${api.url}/api/messages`, request);
  }

  async function sendElsewhere(body: string): Promise<void> {
    const credentials = Buffer.from(`${accountSid}:${authToken}`).toString('base64');
    await http.send(`${carrier.url}/2010-04-01/Accounts/${accountSid}/Messages.json`, {
      method: 'POST',
      headers: { authorization: `Basic ${credentials}` },
      body: new URLSearchParams({ To: ACCEPTED_WITH_ERROR, From: from, Body: body }),
    });
  }

  const sentElsewhere: Fault = {
    alerts: ['SwitchboardUntrackedMessages'],
    what: 'another program sends the same texts through the same account, and no callback arrives',
    async cause() {
      await carrier.behave({ callback_drop: 1 });
      const stop = repeat(async () => {
        const body = `The same ${randomBytes(4).toString('hex')}`;
        await Promise.all([sendHere(body), sendElsewhere(body)]);
        await delay(EVERY_MS);
      });
      return async () => {
        await stop();
        await carrier.behave({ callback_drop: 0 });
      };
    },
  };

  async function callBack(): Promise<void> {
    const url = `${api.url}/api/webhooks/twilio/${workspaceId}/status`;
    const fields = {
      AccountSid: accountSid,
      MessageSid: `SM${randomBytes(16).toString('hex')}`,
      MessageStatus: 'delivered',
    };
    // Twilio signs the fields in alphabetical order, which is their order here.
    const signed = Object.entries(fields).flat().join('');
    const signature = createHmac('sha1', authToken)
      .update(url + signed)
      .digest('base64');
    await http.callText(url, {
      method: 'POST',
      headers: { 'x-twilio-signature': signature },
      body: new URLSearchParams(fields),
    });
  }

  const calledBackElsewhere: Fault = {
    alerts: ['SwitchboardCallbacksUnmatched'],
    what: 'signed callbacks for identifiers that no row has, backdated by four days',
    async cause() {
      const client = new pg.Client(postgres.url);
      await client.connect();
      const stop = repeat(async () => {
        await callBack();
        await client.query(
          `UPDATE unmatched_callbacks SET received_at = received_at - interval '4 days'`,
        );
        await delay(EVERY_MS);
      });
      return async () => {
        await stop();
        // Otherwise the callbacks expire in the next sweep, and the alert keeps firing.
        await client.query('DELETE FROM unmatched_callbacks');
        await client.end();
      };
    },
  };

  const REFUSED_TEXT = 'A text that PostgreSQL refuses';

  const unreadableInbound: Fault = {
    alerts: ['SwitchboardInboundUnreadable'],
    what: 'PostgreSQL refuses the text of messages that only the provider’s list shows',
    async cause() {
      const client = new pg.Client(postgres.url);
      await client.connect();
      await client.query(
        `UPDATE phone_numbers SET inbound_since = now() - interval '1 hour'
         WHERE workspace_id = $1`,
        [workspaceId],
      );
      // string_data_right_truncation
      await client.query(`CREATE FUNCTION refuse_text() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '22001'; END $$`);
      await client.query(`CREATE TRIGGER refuse_text BEFORE INSERT ON message_records FOR EACH ROW
        WHEN (NEW.body = '${REFUSED_TEXT}') EXECUTE FUNCTION refuse_text()`);
      await carrier.behave({ inbound_drop: 1 });
      const received = { to: from, from: HANDSET, body: REFUSED_TEXT, received_ago_ms: 60_000 };
      const stop = repeat(async () => {
        await carrier.receive(received);
        await client.query(
          'UPDATE provider_accounts SET inbound_check_at = NULL WHERE workspace_id = $1',
          [workspaceId],
        );
        await delay(EVERY_MS);
      });
      return async () => {
        await stop();
        await carrier.behave({ inbound_drop: 0 });
        // Otherwise each later read counts the messages again.
        await client.query('DROP FUNCTION refuse_text CASCADE');
        await client.end();
      };
    },
  };

  return { sentElsewhere, calledBackElsewhere, unreadableInbound };
}

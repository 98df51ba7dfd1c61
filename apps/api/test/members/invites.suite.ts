import { inviteList, inviteToken, membership } from '@switchboard/contracts';
import { EVENTUALLY } from '@switchboard/testing';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ask, expectRefusal, upwards } from '../start-service.ts';
import { addPerson, anEmail, clientOf, dataOf } from '../workspace-client.ts';
import {
  service,
  workspace,
  owner,
  signUp,
  PASSWORD,
  accept,
  inviteSomeone,
  invitePerson,
} from './environment.ts';

export function describeInvites(): void {
  describe('invites', () => {
    test('an invite is valid for seven days and makes the user who signs up with it a member', async () => {
      const { email, invite_token, expires_at } = await inviteSomeone();
      const days = (Date.parse(expires_at) - Date.now()) / 86_400_000;
      expect(days).toBeGreaterThan(6.99);
      expect(days).toBeLessThanOrEqual(7);

      const signedUp = await signUp({ email, password: PASSWORD, name: 'New', invite_token });
      expect(signedUp.status).toBe(201);
      const token = String(signedUp.json?.['token']);
      const me = await ask(service.url, '/api/ui/me', { token });
      expect(me.json?.['workspaces']).toEqual([
        {
          id: workspace.workspaceId,
          name: 'Test workspace',
          role: 'member',
          needs_second_factor: false,
        },
      ]);
      expect((await clientOf(service, workspace, token)('')).status).toBe(200);
    });

    test('an invite token is stored only as a hash', async () => {
      const { invite_token } = await inviteSomeone();
      const rows = await service.sql('SELECT i::text, a::text FROM invites i, audit_entries a');
      expect(JSON.stringify(rows)).not.toContain(invite_token);
    });

    test('of five concurrent sign-ups with one invite, one succeeds', async () => {
      const { email, invite_token } = await inviteSomeone();
      const body = { email, password: PASSWORD, name: 'New', invite_token };
      const responses = await Promise.all(Array.from({ length: 5 }, () => signUp(body)));
      // Another finds the invite used, or until then the address taken.
      const [successful, ...others] = responses.toSorted((a, b) => a.status - b.status);
      expect(successful?.status).toBe(201);
      for (const { status, json } of others) {
        expect([
          [403, 'forbidden'],
          [400, 'already_exists'],
        ]).toContainEqual([status, json?.['error']]);
      }
      expectRefusal(await signUp({ ...body, email: anEmail() }), 403, 'forbidden', 'used');
      expect(dataOf(await owner('/members'))).toHaveLength(2);
    });

    test('of sign-ups for different addresses that use one invite at the same time, one leaves a user', async () => {
      const { invite_token } = await inviteSomeone();
      // The lock makes each create its user before one of them joins.
      const lock = new pg.Client({ connectionString: service.database.url });
      await lock.connect();
      onTestFinished(() => lock.end());
      await lock.query('BEGIN');
      await lock.query('SELECT 1 FROM workspaces WHERE id = $1 FOR UPDATE', [
        workspace.workspaceId,
      ]);
      const emails = Array.from({ length: 3 }, anEmail);
      const signUps = emails.map((email) =>
        signUp({ email, password: PASSWORD, name: 'New', invite_token }),
      );
      const findUsers = () => service.sql('SELECT 1 FROM users WHERE email = ANY($1)', [emails]);
      await expect.poll(findUsers, EVENTUALLY).toHaveLength(3);
      await lock.query('COMMIT');
      const statuses = (await Promise.all(signUps)).map(({ status }) => status);
      expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 403, 403]);
      expect(await findUsers()).toHaveLength(1);
    });

    test('a sign-up whose membership cannot be stored creates the user and leaves the invite, which the user accepts', async () => {
      const { email, invite_token } = await inviteSomeone();
      const body = { email, password: PASSWORD, name: 'New', invite_token };
      await service.sql('ALTER TABLE members RENAME COLUMN role TO gone');
      const created = await signUp(body);
      await service.sql('ALTER TABLE members RENAME COLUMN gone TO role');
      expect(created.status).toBe(201);

      expectRefusal(await signUp(body), 400, 'already_exists');
      const token = String(created.json?.['token']);
      expectRefusal(await clientOf(service, workspace, token)(''), 403, 'forbidden');
      expect((await accept(invite_token, token)).status).toBe(201);
      expect((await clientOf(service, workspace, token)('')).status).toBe(200);
    });

    test('an invite is refused after it has expired', async () => {
      const { email, invite_token } = await inviteSomeone();
      const body = { password: PASSWORD, name: 'New', invite_token };
      await service.sql(
        `UPDATE invites SET expires_at = now() - interval '1 second' WHERE email = $1`,
        [email],
      );
      expectRefusal(await signUp({ ...body, email }), 403, 'forbidden', 'expired');
      expect(await service.sql('SELECT 1 FROM users WHERE email = $1', [email])).toEqual([]);
    });

    test('a new invite for the same email address replaces the earlier one', async () => {
      const { email, invite_token: first } = await inviteSomeone();
      const again = await owner('/members', {
        json: { email: email.toUpperCase(), role: 'owner' },
      });
      const body = { email, password: PASSWORD, name: 'New' };
      expectRefusal(await signUp({ ...body, invite_token: first }), 403, 'forbidden');
      const second = again.json?.['invite_token'];
      expect((await signUp({ ...body, invite_token: second })).status).toBe(201);
      expect(dataOf(await owner('/members'))).toContainEqual(
        expect.objectContaining({ email, role: 'owner' }),
      );
    });

    test.each(['removed', 'demoted'])(
      'an invite becomes invalid when the owner who created it is %s',
      async (how) => {
        const second = await addPerson(service, workspace, 'owner');
        const email = anEmail();
        const made = await second.client('/members', { json: { email, role: 'owner' } });
        const { invite_token } = inviteToken.parse(made.json);
        const path = `/members/${second.userId}`;
        const ended = await (how === 'removed'
          ? owner(path, { method: 'DELETE' })
          : owner(path, { method: 'PATCH', json: { role: 'member' } }));
        expect(ended.status).toBe(200);
        const body = { email, password: PASSWORD, name: 'New', invite_token };
        expectRefusal(await signUp(body), 403, 'forbidden');
      },
    );

    test('an invite for an email address that has registered since is accepted by that user, not by a sign-up', async () => {
      const other = await service.addWorkspace();
      const { email, invite_token } = await inviteSomeone();
      await service.sql('UPDATE users SET email = $1 WHERE id = $2', [email, other.userId]);
      const body = { email, password: PASSWORD, name: 'New', invite_token };
      expectRefusal(await signUp(body), 400, 'already_exists', 'another address of yours');
      expect((await accept(invite_token, other.sessionToken)).status).toBe(201);
      expectRefusal(await signUp(body), 403, 'forbidden');
    });
  });

  describe('invites of existing users', () => {
    test('an invite for an existing user has the same response as any other invite and adds no member before it is accepted', async () => {
      const other = await service.addWorkspace();
      const json = { email: other.email, role: 'owner' };
      const responses = [
        await owner('/members', { json }),
        await owner('/members', { json: { ...json, email: anEmail() } }),
      ];
      for (const { status, json: response } of responses) {
        expect(status).toBe(201);
        inviteToken.strict().parse(response);
      }
      expect(dataOf(await owner('/members'))).toHaveLength(1);
      const theirs = clientOf(service, workspace, other.sessionToken);
      expectRefusal(await theirs('/members'), 403, 'forbidden');
    });

    test('accepting an invite makes the user a member and uses it up', async () => {
      const other = await service.addWorkspace();
      const { invite_token } = await invitePerson(other.email, 'owner');
      const accepted = await accept(invite_token, other.sessionToken);
      expect(accepted.status).toBe(201);
      expect(membership.strict().parse(accepted.json)).toMatchObject({
        workspace_id: workspace.workspaceId,
        user_id: other.userId,
        role: 'owner',
      });
      expectRefusal(await accept(invite_token, other.sessionToken), 404, 'not_found');
      expect(dataOf(await owner('/members'))).toContainEqual(
        expect.objectContaining({ user_id: other.userId, email: other.email, role: 'owner' }),
      );
      expectRefusal(
        await owner('/members', { json: { email: other.email, role: 'member' } }),
        400,
        'already_exists',
      );
    });

    test('an invited person joins with the token and an account of another address, if another user has registered the invited one', async () => {
      const [squatter, invited] = [await service.addWorkspace(), await service.addWorkspace()];
      const { invite_token } = await invitePerson(squatter.email);
      const { sessionToken: stranger } = squatter;
      expectRefusal(await clientOf(service, workspace, stranger)('/members'), 403, 'forbidden');
      expectRefusal(await accept('swi_made-up', stranger), 404, 'not_found');
      // A member who opens the link does not use it up.
      expectRefusal(await accept(invite_token, workspace.sessionToken), 400, 'already_exists');
      const accepted = await accept(invite_token, invited.sessionToken);
      expect([accepted.status, accepted.json]).toMatchObject([201, { user_id: invited.userId }]);
      expectRefusal(await accept(invite_token, stranger), 404, 'not_found');

      const second = await invitePerson(squatter.email);
      const body = { password: PASSWORD, name: 'New', invite_token: second.invite_token };
      const joined = await signUp({ ...body, email: anEmail() });
      expect(joined.status).toBe(201);
      expectRefusal(await clientOf(service, workspace, stranger)('/members'), 403, 'forbidden');
    });

    test('an expired invite cannot be accepted', async () => {
      const other = await service.addWorkspace();
      const { invite_token } = await invitePerson(other.email);
      await service.sql(`UPDATE invites SET expires_at = now() WHERE email = $1`, [other.email]);
      expectRefusal(await accept(invite_token, other.sessionToken), 404, 'not_found');
    });

    test('five concurrent acceptances of one invite create one membership', async () => {
      const other = await service.addWorkspace();
      const { invite_token } = await invitePerson(other.email);
      const responses = await Promise.all(
        Array.from({ length: 5 }, () => accept(invite_token, other.sessionToken)),
      );
      expect(responses.map(({ status }) => status).toSorted(upwards)).toEqual([
        201, 404, 404, 404, 404,
      ]);
      expect(dataOf(await owner('/members'))).toHaveLength(2);
    });
  });

  describe('open invites', () => {
    test('owners see open invites, newest first, without their tokens', async () => {
      const first = await inviteSomeone();
      const second = await inviteSomeone('owner');
      const expired = await inviteSomeone();
      await service.sql('UPDATE invites SET expires_at = now() WHERE email = $1', [expired.email]);
      const { data, pagination } = inviteList.strict().parse((await owner('/invites')).json);
      expect(data).toEqual([
        {
          id: expect.any(String),
          email: second.email,
          role: 'owner',
          invited_by: { id: workspace.userId, name: 'Owner' },
          created_at: expect.any(String),
          expires_at: second.expires_at,
        },
        expect.objectContaining({ email: first.email, role: 'member' }),
      ]);
      expect(pagination.totalItems).toBe(2);
    });

    test('a withdrawn invite is invalid', async () => {
      const { email, invite_token } = await inviteSomeone();
      const kept = await inviteSomeone();
      const [id] = dataOf(await owner('/invites'))
        .filter((each) => each['email'] === email)
        .map((each) => String(each['id']));
      const withdrawn = await owner(`/invites/${id}`, { method: 'DELETE' });
      expect([withdrawn.status, withdrawn.json]).toEqual([200, { ok: true }]);
      expectRefusal(await owner(`/invites/${id}`, { method: 'DELETE' }), 404, 'not_found');
      const body = { email, password: PASSWORD, name: 'New', invite_token };
      expectRefusal(await signUp(body), 403, 'forbidden', 'unknown');
      expect(dataOf(await owner('/invites')).map((each) => each['email'])).toEqual([kept.email]);
    });
  });

  describe('closed sign-up', () => {
    const body = () => ({ email: anEmail(), password: PASSWORD, name: 'New' });

    test('sign-up without an invite is closed after the first user', async () => {
      expectRefusal(await signUp(body()), 403, 'forbidden', 'sign-up is closed');
    });

    test.each(['', 'swi_made-up', 'a'.repeat(200)])(
      'sign-up with the invalid invite %j is refused',
      async (token) => {
        expectRefusal(
          await signUp({ ...body(), invite_token: token }),
          403,
          'forbidden',
          'unknown',
        );
      },
    );

    test('sign-up with an invite that is not a string is refused with an error that says so', async () => {
      expectRefusal(
        await signUp({ ...body(), invite_token: 7 }),
        400,
        'invalid_params',
        '`invite_token` must be a string',
      );
    });
  });
}

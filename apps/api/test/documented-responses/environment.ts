import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { QUOTAS } from '@switchboard/core';
import {
  type ChildProcess,
  type PostgresServer,
  type WorkspaceFixture,
  createWorkspaceFixture,
  startApi,
  startPostgres,
} from '@switchboard/testing';
import pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import {
  type Sql,
  addFieldNames,
  insertApiKeys,
  insertContacts,
  insertErasures,
  insertInvites,
  insertMediaFiles,
  insertMembers,
  insertNotes,
  insertNumbers,
  insertOptOuts,
  insertSavedReplies,
  insertSavedViews,
  insertWebhookEndpoints,
  insertProviders,
  insertWorkspaces,
} from '../fill-quotas.ts';
import { LOG_STATEMENTS } from '../read-transactions.ts';

let provider: Server;
let mediaFolder: string;
export let postgres: PostgresServer;
export let pool: pg.Pool;
export let api: ChildProcess;
/** An API with a limit of one request per minute, sign-up by invite only and no file storage. */
export let strict: ChildProcess;
/** An API where users sign in by single sign-on only. */
export let only: ChildProcess;
export let ours: WorkspaceFixture;
export let theirs: WorkspaceFixture;
/** A workspace without a provider. */
export let bare: WorkspaceFixture;
/** A workspace with a provider but without a sender. */
export let senderless: WorkspaceFixture;
/** A workspace with all quotas used up, including those of its owner. */
export let full: WorkspaceFixture;
export let providerUrl: string;

export const RECIPIENT = '+15557654321';
export const PICTURE = `ME${'1'.repeat(32)}`;
export const LOST_PICTURE = `ME${'2'.repeat(32)}`;

/** Registers the hooks of the calling file. Files that share a process load this module once. */
export function useDocumentedServices(): void {
  beforeAll(async () => {
    provider = createServer((request, response) => {
      if (request.url === '/.well-known/openid-configuration') {
        const authorize = { authorization_endpoint: `${providerUrl}/authorize` };
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ issuer: providerUrl, ...authorize }));
        return;
      }
      if (request.url?.endsWith(PICTURE)) response.writeHead(200, { 'content-type': 'image/png' });
      else if (request.url?.includes('/IncomingPhoneNumbers.json?') !== true) {
        response.statusCode = 500;
      }
      response.end(JSON.stringify({ incoming_phone_numbers: [] }));
    }).listen(0, '127.0.0.1');
    await once(provider, 'listening');
    providerUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;

    postgres = await startPostgres({ settings: LOG_STATEMENTS });
    pool = new pg.Pool({ connectionString: postgres.url, max: 1 });
    pool.on('error', () => undefined);
    const env = {
      DATABASE_URL: postgres.url,
      TWILIO_API_URL: providerUrl,
      LOG_LEVEL: 'fatal',
    };
    mediaFolder = await mkdtemp(join(tmpdir(), 'switchboard-documented-test-'));
    api = await startApi({
      ...env,
      MEDIA_FOLDER: mediaFolder,
      RATE_LIMIT_MESSAGING: '10000',
      RATE_LIMIT_UI: '10000',
      SOCKET_LIMIT_KEY: '1',
      SOCKET_LIMIT_USER: '1',
      ALLOW_SIGNUP: 'true',
      OIDC_ISSUER: providerUrl,
      OIDC_CLIENT_ID: 'switchboard',
      OIDC_CLIENT_SECRET: 'secret',
      // No worker runs, so no mail is sent.
      SMTP_URL: 'smtp://127.0.0.1:9',
      MAIL_FROM: 'switchboard@example.com',
      TRUST_PROXY: '1',
    });
    strict = await startApi({ ...env, RATE_LIMIT_MESSAGING: '1', RATE_LIMIT_UI: '1' });

    // Nothing is requested from the provider before the first sign-in.
    const client = { OIDC_CLIENT_ID: 'switchboard', OIDC_CLIENT_SECRET: 'secret' };
    only = await startApi({ ...env, ...client, OIDC_ISSUER: providerUrl, OIDC_ONLY: 'true' });
    const add = (options = {}) => createWorkspaceFixture(postgres.url, options);
    ours = await add();
    theirs = await add({ from: '+15550001111' });
    bare = await add({ provider: false });
    senderless = await add({ from: null });
    full = await add();
    const sql: Sql = (text, values) => pool.query(text, values);
    await insertApiKeys(sql, full.workspaceId, QUOTAS.apiKeysPerWorkspace);
    await insertNumbers(sql, full.workspaceId, QUOTAS.numbersPerWorkspace);
    await insertProviders(sql, full.workspaceId, QUOTAS.providersPerWorkspace);
    await insertWorkspaces(sql, full.userId, QUOTAS.workspacesPerOwner);
    await insertMembers(sql, full.workspaceId, QUOTAS.membersPerWorkspace);
    await insertInvites(sql, full, QUOTAS.invitesPerWorkspace - 2);
    await insertOptOuts(sql, full.workspaceId, QUOTAS.addedOptOutsPerWorkspace);
    await insertContacts(sql, full.workspaceId, QUOTAS.contactsPerWorkspace);
    await addFieldNames(sql, full.workspaceId, QUOTAS.contactFieldNamesPerWorkspace);
    await insertErasures(sql, full.workspaceId, QUOTAS.openErasuresPerWorkspace);
    const noted = { workspaceId: full.workspaceId, number: RECIPIENT };
    await insertNotes(sql, noted, QUOTAS.notesPerConversation);
    await insertMediaFiles(sql, full.workspaceId, QUOTAS.mediaFilesPerWorkspace);
    await insertSavedReplies(sql, full.workspaceId, QUOTAS.savedRepliesPerWorkspace);
    await insertSavedViews(sql, full.workspaceId, QUOTAS.savedViewsPerWorkspace);
    // After the opt-outs, each of which would be an event for each endpoint.
    await insertWebhookEndpoints(sql, full.workspaceId, QUOTAS.webhookEndpointsPerWorkspace);
  });

  afterAll(async () => {
    await api.stop();
    await strict.stop();
    await only.stop();
    await pool.end();
    await postgres.close();
    provider.close();
    await rm(mediaFolder, { recursive: true, force: true });
  });
}

import type { SessionResponse } from '@switchboard/contracts';
import { type BusNotification, type Clock, createUuidV7 } from '@switchboard/core';
import { createSessionToken, hashToken } from '@switchboard/credentials';
import type { SessionStore, SignInMethod, User } from '@switchboard/database';
import type { FastifyRequest } from 'fastify';

/** How long a session lasts if its user has chosen to stay signed in, and if not. */
const LIFETIME_HOURS = { long: 30 * 24, short: 24 } as const;
const HOUR_MS = 3_600_000;
const USER_AGENT_MAX_CHARACTERS = 200;

type Headers = Pick<FastifyRequest, 'headers'>;

export type StartSession = ReturnType<typeof createStartSession>;

export interface StartSessionDependencies {
  sessions: Pick<SessionStore, 'create'>;
  clock: Clock;
  publishLater(notification: BusNotification): void;
}

export interface SessionStart {
  user: User;
  /** False: the session ends within a day. */
  staySignedIn: boolean | undefined;
  /** Default: `password`. */
  method?: SignInMethod;
}

/**
 * Starts a session of a user; returns null if `passwordHash` is given and is no longer current, or if the user has a second
 * factor that the login has not passed.
 */
export function createStartSession({ sessions, clock, publishLater }: StartSessionDependencies) {
  async function startSession(request: Headers, start: SessionStart): Promise<SessionResponse>;
  async function startSession(
    request: Headers,
    start: SessionStart & { passwordHash: string; passedSecondFactor: boolean },
  ): Promise<SessionResponse | null>;
  async function startSession(
    request: Headers,
    {
      user,
      staySignedIn,
      method,
      passwordHash,
      passedSecondFactor = false,
    }: SessionStart & { passwordHash?: string; passedSecondFactor?: boolean },
  ): Promise<SessionResponse | null> {
    const { id, email, name } = user;
    const token = createSessionToken();
    const createdAt = new Date(clock.now());
    const hours = staySignedIn === false ? LIFETIME_HOURS.short : LIFETIME_HOURS.long;
    const expiresAt = new Date(createdAt.getTime() + hours * HOUR_MS);
    const created = await sessions.create({
      id: createUuidV7(createdAt.getTime()),
      userId: id,
      tokenHash: hashToken(token),
      createdAt,
      expiresAt,
      userAgent: readUserAgent(request),
      ...(method !== undefined && { signInMethod: method }),
      ...(passwordHash !== undefined && { passwordHash }),
      passedSecondFactor,
    });
    if (created === null) return null;
    for (const sessionId of created.endedIds) publishLater({ kind: 'session_ended', sessionId });
    return { user: { id, email, name }, token, expires_at: expiresAt.toISOString() };
  }
  return startSession;
}

/** Returns the name of the browser or program, by which users recognize their sessions. */
export function readUserAgent({ headers }: Headers): string | null {
  return headers['user-agent']?.slice(0, USER_AGENT_MAX_CHARACTERS) ?? null;
}

import type { ErrorCode } from '@switchboard/core';
import type { z } from 'zod';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** `provider_signature`: what a provider calls, signed with the account's token. */
export type Credential = 'api_key' | 'session' | 'provider_signature';

/** What one route takes and answers. Its key in a table is its method and path. */
export interface Route {
  tag: string;
  summary: string;
  description?: string;
  /** Null: anybody may ask. */
  credential: Credential | null;
  /** Of members, only owners may. */
  ownersOnly?: true;
  query?: z.ZodObject;
  headers?: z.ZodObject;
  body?: z.ZodObject;
  /** JSON unless said otherwise. */
  bodyType?: 'application/x-www-form-urlencoded';
  answer: Answer;
  /** What an unexpected failure is called; `internal_error` unless said. */
  failureCode?: 'send_failed' | 'update_failed';
  /** When each code is answered, beside what follows from the fields above. */
  errors?: Partial<Record<ErrorCode, string>>;
}

export interface Answer {
  status: 101 | 200 | 201;
  /** Of a JSON answer, or of the frames of a WebSocket. */
  schema?: z.ZodType;
  /** Where it is no JSON. */
  contentType?: string;
  description?: string;
}

export type RouteTable = Record<`${Method} /${string}`, Route>;

/** A declaration that stands under two paths, one for each credential. */
export type SharedRoute = Omit<Route, 'credential'>;

import type { contract } from './contract.ts';

type Contract = typeof contract;
type Routes = Contract['routes'];

/** The method and path of every HTTP route, for example `POST /api/messages`. */
export type RouteKey = keyof Routes;

export type RequestOptions<Key extends RouteKey> = Routes[Key]['options'];

export type BodyOf<Key extends RouteKey> = Routes[Key]['body'];

/** The parsed body of a success, or the unread response if it is not JSON. */
export type ResponseOf<Key extends RouteKey> = Routes[Key]['response'];

export type ErrorCode = keyof Contract['errors'];

/** The body of a workspace webhook. */
export type WebhookEvent = Contract['events'][keyof Contract['events']];

/** The response of the service. A request that gets no response throws, as with `fetch`. */
export type Result<Key extends RouteKey> =
  | { ok: true; status: number; headers: Headers; data: ResponseOf<Key> }
  | { ok: false; status: number; headers: Headers; error: ErrorCode; detail: string };

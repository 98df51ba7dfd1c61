export { type Arguments, type Client, type ClientOptions, createClient } from './create-client.ts';
export type { AnswerOf, BodyOf, RequestOptions, Result, RouteKey } from './route-types.ts';

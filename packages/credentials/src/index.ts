export { createApiKey, isApiKey } from './api-key.ts';
export { HashQueueFullError } from './hash-queue.ts';
export { hashToken } from './hash-token.ts';
export { createInviteToken } from './invite-token.ts';
export { type LinkPurpose, createLinkToken } from './link-token.ts';
export { hashPassword, verifyPassword } from './password.ts';
export { createSessionToken, isSessionToken } from './session-token.ts';
export { createWebhookSecret, readWebhookKey } from './webhook-secret.ts';

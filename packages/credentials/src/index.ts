export { createApiKey, isApiKey } from './api-key.ts';
export { HashQueueFullError } from './hash-queue.ts';
export { hashToken } from './hash-token.ts';
export { createInviteToken } from './invite-token.ts';
export {
  PASSWORD_MAX_BYTES,
  PASSWORD_MIN_BYTES,
  hashPassword,
  verifyPassword,
} from './password.ts';
export { createSessionToken, isSessionToken } from './session-token.ts';

export { type Instant, parseInstant } from './dates.ts';
export { CLOSE_CODES, EVENTS_SUBPROTOCOL, type EventFrame, eventFrame } from './frames.ts';
export {
  type HistoryQuery,
  PAGE_SIZE_DEFAULT,
  PAGE_SIZE_MAX,
  type RawQuery,
  parseHistoryQuery,
  parsePaging,
} from './list-messages.ts';
export {
  type Message,
  type MessageEvent,
  type MessageList,
  type MessageWithEvents,
  message,
  messageList,
  messageWithEvents,
} from './message.ts';
export { missingParams, parseBody, parseValue } from './parse-request.ts';
export {
  BODY_MAX_CHARACTERS,
  MEDIA_URLS_MAX,
  type SendMessageAnswer,
  type SendMessageRequest,
  parseScheduledAt,
  parseSendMessage,
  sendMessageAnswer,
} from './send-message.ts';
export { type SessionAnswer, logInRequest, sessionAnswer, signUpRequest } from './session.ts';
export { type Workspace, parseWorkspaceName, workspace } from './workspace.ts';

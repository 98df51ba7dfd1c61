const EVENTS = ['sms:received', 'sms:sent', 'sms:delivered', 'sms:failed'] as const;

/** An event of SMS Gateway for Android. Each has a webhook of its own. */
export type PhoneEvent = (typeof EVENTS)[number];

export function isEvent(value: unknown): value is PhoneEvent {
  return EVENTS.some((event) => event === value);
}

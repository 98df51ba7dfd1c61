import type { ReactNode } from 'react';

export const newMessage = 'New message';
export const connectProvider = 'Connect a provider';
export const contacts = 'Contacts';
export const messages = 'Messages';
export const formerMember = 'A former member';
export const product = 'Switchboard';
export const media = 'Media';
export const overview = 'Overview';
export const conversations = 'Conversations';
export const yourAccount = 'Your account';
export const apiKeys = 'API keys';
export const savedReplies = 'Saved replies';
export const settings = 'Settings';
export const writeMessage = 'Write a message';

export const apiKey = (name: string) => `API key ${name}`;

export const roles = { owner: 'Owner', member: 'Member', viewer: 'Viewer' };

/** `count` may be `50+`. */
export const unread = ({ count, hidden }: { count: string; hidden(text: string): ReactNode }) => (
  <>
    {count}
    {hidden(' unread')}
  </>
);

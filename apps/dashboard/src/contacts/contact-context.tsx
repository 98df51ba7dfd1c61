import type { Contact } from '@switchboard/contracts';
import { createContext, use, useCallback, useSyncExternalStore } from 'react';
import type { ContactDirectory } from './contact-directory.ts';

const ContactContext = createContext<ContactDirectory | null>(null);

export const ContactProvider = ContactContext.Provider;

export function useContactDirectory(): ContactDirectory {
  const directory = use(ContactContext);
  if (directory === null) throw new Error('useContactDirectory requires a ContactProvider above.');
  return directory;
}

/** Returns the contact of a number, or null if the number has none or the contact is not loaded yet. */
export function useContact(number: string | null): Contact | null {
  const directory = useContactDirectory();
  const subscribe = useCallback(
    (listener: () => void) =>
      number === null || number === '' ? () => undefined : directory.watch(number, listener),
    [directory, number],
  );
  return useSyncExternalStore(subscribe, () => (number === null ? null : directory.read(number)));
}

/** Returns the name of the contact with this number, or null if the number has none. */
export const useContactName = (number: string | null): string | null =>
  useContact(number)?.name || null;

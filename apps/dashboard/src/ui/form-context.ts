import { createContext } from 'react';

export interface FormState {
  /** Error messages by field name. */
  errors: Readonly<Record<string, string>>;
  /** Registers a field of the form. Returns a function that unregisters it. */
  register(name: string): () => void;
  has(name: string): boolean;
}

export const FormContext = createContext<FormState | null>(null);

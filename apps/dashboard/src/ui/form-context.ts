import { createContext } from 'react';

export interface FormState {
  /** What is wrong with a field, by its name. */
  faults: Readonly<Record<string, string>>;
  /** Says that the form has a field of this name; returns what takes that back. */
  register(name: string): () => void;
  has(name: string): boolean;
}

export const FormContext = createContext<FormState | null>(null);

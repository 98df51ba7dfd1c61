import { type ReactNode, useEffect, useRef, useState } from 'react';
import { explainFailure } from '../api/explain-failure.ts';
import { wordsOfField } from '../api/field-words.ts';
import { FormContext, type FormState } from './form-context.ts';

type Faults = Record<string, string>;
type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/**
 * A form that says what is wrong at the field it concerns: what the browser finds before anything is
 * sent, and what the service refuses afterwards. A fault goes away as soon as its field changes.
 */
export function Form(props: {
  /** The service's refusal, if any. */
  error: unknown;
  className?: string;
  onSubmit(form: HTMLFormElement): void;
  children: ReactNode;
}) {
  const { error, onSubmit } = props;
  const form = useRef<HTMLFormElement>(null);
  const [names] = useState(() => new Map<string, number>());
  const [faults, setFaults] = useState<Faults>({});
  const [state] = useState<Pick<FormState, 'register' | 'has'>>(() => ({
    register(name) {
      names.set(name, (names.get(name) ?? 0) + 1);
      return () => names.set(name, (names.get(name) ?? 1) - 1);
    },
    has: (name) => (names.get(name) ?? 0) > 0,
  }));

  useEffect(() => {
    const found = Object.fromEntries(
      explainFailure(error).flatMap(({ field, words }) => (field === null ? [] : [[field, words]])),
    );
    setFaults(found);
    focusFirst(form.current, found);
  }, [error]);

  return (
    <FormContext value={{ ...state, faults }}>
      <form
        ref={form}
        className={props.className}
        // The browser's own words would stand in a bubble, and in its language.
        noValidate
        onInput={({ target }) => {
          if (!isControl(target) || faults[target.name] === undefined) return;
          const { [target.name]: _mended, ...others } = faults;
          setFaults(others);
        }}
        onSubmit={(event) => {
          event.preventDefault();
          const found = findFaults(event.currentTarget);
          setFaults(found);
          if (Object.keys(found).length === 0) onSubmit(event.currentTarget);
          else focusFirst(event.currentTarget, found);
        }}
      >
        {props.children}
      </form>
    </FormContext>
  );
}

function findFaults(form: HTMLFormElement): Faults {
  const found: Faults = {};
  for (const control of form.elements) {
    if (!isControl(control) || control.validity.valid) continue;
    const { name, validity, validationMessage } = control;
    found[name] = validity.customError
      ? validationMessage
      : (wordsOfField(name) ?? validationMessage);
  }
  return found;
}

function focusFirst(form: HTMLFormElement | null, faults: Faults): void {
  for (const control of form?.elements ?? []) {
    if (!isControl(control) || faults[control.name] === undefined) continue;
    control.focus();
    return;
  }
}

function isControl(element: EventTarget): element is Control {
  return (
    element instanceof HTMLInputElement ||
    element instanceof HTMLTextAreaElement ||
    element instanceof HTMLSelectElement
  );
}

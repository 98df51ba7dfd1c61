import { type ReactNode, useEffect, useRef, useState } from 'react';
import { explainFailure } from '../api/explain-failure.ts';
import { messageForField } from '../api/field-messages.ts';
import { FormContext, type FormState } from './form-context.ts';

type Errors = Record<string, string>;
type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/**
 * A form that shows each error at its field: the browser's validation errors before a request, and
 * the server's errors after it. An error disappears when its field changes.
 */
export function Form(props: {
  /** The error of the last request, or null. */
  error: unknown;
  className?: string;
  onSubmit(form: HTMLFormElement): void;
  children: ReactNode;
}) {
  const { error, onSubmit } = props;
  const form = useRef<HTMLFormElement>(null);
  const [names] = useState(() => new Map<string, number>());
  const [errors, setErrors] = useState<Errors>({});
  const [state] = useState<Pick<FormState, 'register' | 'has'>>(() => ({
    register(name) {
      names.set(name, (names.get(name) ?? 0) + 1);
      return () => names.set(name, (names.get(name) ?? 1) - 1);
    },
    has: (name) => (names.get(name) ?? 0) > 0,
  }));

  useEffect(() => {
    const found = Object.fromEntries(
      explainFailure(error).flatMap(({ field, message }) =>
        field === null ? [] : [[field, message]],
      ),
    );
    setErrors(found);
    focusFirst(form.current, found);
  }, [error]);

  return (
    <FormContext value={{ ...state, errors }}>
      <form
        ref={form}
        className={props.className}
        // The browser would show its own message in a bubble, in the browser's language.
        noValidate
        onInput={({ target }) => {
          if (!isControl(target) || errors[target.name] === undefined) return;
          const { [target.name]: _resolved, ...others } = errors;
          setErrors(others);
        }}
        onSubmit={(event) => {
          event.preventDefault();
          const found = findErrors(event.currentTarget);
          setErrors(found);
          if (Object.keys(found).length === 0) onSubmit(event.currentTarget);
          else focusFirst(event.currentTarget, found);
        }}
      >
        {props.children}
      </form>
    </FormContext>
  );
}

function findErrors(form: HTMLFormElement): Errors {
  const found: Errors = {};
  for (const control of form.elements) {
    if (!isControl(control) || control.validity.valid) continue;
    const { name, validity, validationMessage } = control;
    found[name] = validity.customError
      ? validationMessage
      : (messageForField(name) ?? validationMessage);
  }
  return found;
}

function focusFirst(form: HTMLFormElement | null, errors: Errors): void {
  for (const control of form?.elements ?? []) {
    if (!isControl(control) || errors[control.name] === undefined) continue;
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

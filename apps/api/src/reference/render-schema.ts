import type { JsonSchema, Parameter } from '@switchboard/contracts';
import { nameOfRef, typesOf } from './example.ts';
import { type Html, html, inline } from '../http/html.ts';

/** A table of an object's fields; anything else in one line. */
export function renderSchema(schema: JsonSchema): Html {
  if (schema.properties === undefined) return html`<p>${renderType(schema)}</p>`;
  // An answer is closed, and has all of its fields: only a request's reader has a choice.
  const isAsked = schema.additionalProperties !== false;
  const rows = Object.entries(schema.properties).map(([name, field]) =>
    renderRow(name, field, isAsked && schema.required?.includes(name) === true),
  );
  return renderTable('Field', rows);
}

export function renderParameters(parameters: readonly Parameter[]): Html {
  const rows = parameters.map(({ name, required, schema, description }) =>
    renderRow(name, { ...schema, ...(description !== undefined && { description }) }, required),
  );
  return renderTable('Name', rows);
}

function renderTable(heading: string, rows: readonly Html[]): Html {
  return html`<div class="wide">
    <table>
      <thead>
        <tr>
          <th scope="col">${heading}</th>
          <th scope="col">Type</th>
          <th scope="col">Meaning</th>
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}

function renderRow(name: string, field: JsonSchema, required: boolean): Html {
  const mark = required ? html` <span class="required">required</span>` : html``;
  const bounds = describeBounds(field);
  return html`<tr>
    <td><code>${name}</code>${mark}</td>
    <td>${renderType(field)}</td>
    <td>${inline([field.description, bounds].filter(Boolean).join('. '))}</td>
  </tr>`;
}

function renderType(schema: JsonSchema): Html {
  if (schema.$ref !== undefined) {
    const name = nameOfRef(schema.$ref);
    return html`<a href="#${name}">${name}</a>`;
  }
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) {
    const parts = choices.map((choice, at) =>
      at === 0 ? renderType(choice) : html` or ${renderType(choice)}`,
    );
    return html`${parts}`;
  }
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (schema.enum !== undefined) {
    const parts = schema.enum.map((value, at) =>
      at === 0 ? html`<code>${String(value)}</code>` : html`, <code>${String(value)}</code>`,
    );
    return html`${parts}`;
  }
  if (schema.items !== undefined) return html`list of ${renderType(schema.items)}`;
  if (schema.properties !== undefined) {
    const parts = Object.entries(schema.properties).map(([name, field], at) =>
      at === 0
        ? html`<code>${name}</code>: ${renderType(field)}`
        : html`, <code>${name}</code>: ${renderType(field)}`,
    );
    return html`{ ${parts} }`;
  }
  const types = typesOf(schema).map((type) => schema.format ?? type);
  return html`${types.length === 0 ? 'anything' : [...new Set(types)].join(' or ')}`;
}

function describeBounds(schema: JsonSchema): string {
  const { minLength, maxLength, minItems, maxItems, minimum, examples } = schema;
  return [
    maxLength !== undefined && `${minLength ?? 0} to ${maxLength} characters`,
    maxItems !== undefined && `${minItems ?? 0} to ${maxItems} entries`,
    minimum !== undefined && `From ${minimum}`,
    examples !== undefined && `Example: \`${String(examples[0])}\``,
  ]
    .filter((bound) => bound !== false)
    .join('. ');
}

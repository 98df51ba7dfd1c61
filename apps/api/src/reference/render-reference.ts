import type { OpenApiDocument, OpenApiResponse, Operation } from '@switchboard/contracts';
import { curlOf, resolveRef } from './example.ts';
import { type Html, html, inline, prose } from '../http/html.ts';
import { renderParameters, renderSchema } from './render-schema.ts';
import { STYLE } from './style.ts';

/** Apart: not one character beside what is hashed may stand in it. */
const STYLE_ELEMENT: Html = { html: `<style>${STYLE}</style>` };

interface Entry {
  method: string;
  path: string;
  operation: Operation;
}

/** The whole reference as one page without scripts. */
export function renderReference(document: OpenApiDocument): string {
  const entries = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ method, path, operation })),
  );
  const groups = document.tags.map(({ name }) => ({
    name,
    entries: entries.filter(({ operation }) => operation.tags.includes(name)),
  }));
  const { title, description } = document.info;
  const schemas = Object.entries(document.components.schemas);
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>${title}: reference</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        ${STYLE_ELEMENT}
      </head>
      <body>
        <nav aria-label="Contents">
          <a href="#top"><strong>${title}</strong></a>
          <a href="/openapi.json">OpenAPI 3.1</a>${groups.map(renderContents)}
          <h2>Schemas</h2>
          <ul>
            ${schemas.map(([name]) => html`<li><a href="#${name}">${name}</a></li>`)}
          </ul>
        </nav>
        <main id="top">
          <h1>${title}</h1>
          ${prose(description)}
          ${groups.map(
            (group) =>
              html`<h2 class="group">${group.name}</h2>
                ${group.entries.map((entry) => renderOperation(document, entry))}`,
          )}
          <h2 class="group">Schemas</h2>
          ${schemas.map(
            ([name, schema]) =>
              html`<section id="${name}">
                <h3>${name}</h3>
                ${prose(schema.description ?? '')}${renderSchema(schema)}
              </section>`,
          )}
        </main>
      </body>
    </html> `;
  return page.html;
}

function renderContents(group: { name: string; entries: Entry[] }): Html {
  return html`<h2>${group.name}</h2>
    <ul>
      ${group.entries.map(
        ({ method, operation }) =>
          html`<li>
            <a href="#${operation.operationId}"
              >${badge(method)}${operation.summary}${tellApart(group, operation)}</a
            >
          </li>`,
      )}
    </ul>`;
}

/** The same thing may be done by a program and by a person. */
function tellApart(group: { entries: Entry[] }, { summary, security }: Operation): Html {
  const isAlone = group.entries.filter(({ operation }) => operation.summary === summary).length < 2;
  const scheme = Object.keys(security[0] ?? {})[0] ?? '';
  return isAlone ? html`` : html` <span class="who">(${CREDENTIALS[scheme] ?? ''})</span>`;
}

const CREDENTIALS: Record<string, string> = {
  api_key: 'API key',
  session: 'Session token',
  provider_signature: 'The provider’s signature',
};

function renderOperation(document: OpenApiDocument, { method, path, operation }: Entry): Html {
  const scheme = Object.keys(operation.security[0] ?? {})[0];
  const answers = Object.entries(operation.responses);
  const body = Object.entries(operation.requestBody?.content ?? {});
  return html`<section id="${operation.operationId}">
    <h3>${operation.summary}</h3>
    <p class="path">${badge(method)}${path}</p>
    <p class="who">
      Credential: ${scheme === undefined ? 'none' : (CREDENTIALS[scheme] ?? scheme)}
    </p>
    ${prose(operation.description ?? '')}
    ${(['path', 'query', 'header'] as const).map((place) => {
      const parameters = operation.parameters.filter((parameter) => parameter.in === place);
      return parameters.length === 0
        ? html``
        : html`<h4>In the ${place}</h4>
            ${renderParameters(parameters)}`;
    })}
    ${body.map(
      ([type, { schema }]) =>
        html`<h4>Body</h4>
          <p><code>${type}</code></p>
          ${renderSchema(schema.$ref === undefined ? schema : resolveRef(document, schema.$ref))}`,
    )}
    <h4>Example</h4>
    <pre><code>${curlOf(document, method, path, operation)}</code></pre>
    <h4>Answers</h4>
    <div class="wide">
      <table>
        <thead>
          <tr>
            <th scope="col">Status</th>
            <th scope="col">Body</th>
            <th scope="col">Meaning</th>
          </tr>
        </thead>
        <tbody>
          ${answers.map(([status, answer]) => renderAnswer(status, answer))}
        </tbody>
      </table>
    </div>
  </section> `;
}

function renderAnswer(status: string, { content, description }: OpenApiResponse): Html {
  const [[type, { schema }] = ['', { schema: {} }]] = Object.entries(content ?? {});
  const isError = Number(status) >= 400;
  const body = schema.$ref === undefined ? html`<code>${type}</code>` : renderSchema(schema);
  const conditions = description.split('\n\n').map((line) => html`<p>${inline(line)}</p>`);
  return html`<tr>
    <td>${status}</td>
    <td>${isError ? html`<code>{ error, detail }</code>` : body}</td>
    <td>${conditions}</td>
  </tr>`;
}

function badge(method: string): Html {
  return html`<span class="method ${method}">${method.toUpperCase()}</span>`;
}

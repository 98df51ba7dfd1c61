import type { Operation, Parameter, Ref, Response } from './document.ts';

type OwnOperation = Operation & {
  parameters: Parameter[];
  responses: Record<string, Response>;
};

/**
 * Moves every parameter and every error response that more than one operation has to the components,
 * and returns the operations with references to them.
 */
export function shareComponents(operations: readonly OwnOperation[]) {
  const parameters = createShared<Parameter>('parameters', ({ name }) => name);
  const responses = createShared<Response>('responses', nameResponse);
  for (const operation of operations) {
    operation.parameters.forEach(parameters.count);
    listErrorResponses(operation).forEach(([, response]) => responses.count(response));
  }
  const shared = operations.map((operation): Operation => {
    const { parameters: own, responses: ownResponses, ...rest } = operation;
    const errors: Record<string, Response | Ref> = {};
    for (const [status, response] of listErrorResponses(operation)) {
      errors[status] = responses.share(response);
    }
    return {
      ...rest,
      ...(own.length > 0 && { parameters: own.map(parameters.share) }),
      responses: { ...ownResponses, ...errors },
    };
  });
  return { operations: shared, parameters: parameters.components, responses: responses.components };
}

function listErrorResponses({ responses }: OwnOperation): [string, Response][] {
  return Object.entries(responses).filter(([status]) => Number(status) >= 400);
}

/** For example `NotFound`, or `InvalidParamsOrMissingParams`. */
function nameResponse({ content = {} }: Response): string {
  const codes = Object.values(Object.values(content)[0]?.examples ?? {}).map(
    ({ value }) => (value as { error: string }).error,
  );
  return [...new Set(codes)]
    .map((code) => code.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase()))
    .join('Or');
}

function createShared<Component extends object>(
  kind: string,
  nameOf: (component: Component) => string,
) {
  const uses = new Map<string, number>();
  const names = new Map<string, string>();
  const components: Record<string, Component> = {};
  const keys = new Map<Component, string>();

  return {
    components,
    count(component: Component): void {
      const key = JSON.stringify(component);
      keys.set(component, key);
      uses.set(key, (uses.get(key) ?? 0) + 1);
    },
    share(component: Component): Component | Ref {
      const key = keys.get(component) ?? '';
      if ((uses.get(key) ?? 0) < 2) return component;
      let name = names.get(key);
      if (name === undefined) {
        const wanted = nameOf(component);
        name = wanted;
        for (let n = 2; components[name] !== undefined; n += 1) name = `${wanted}${n}`;
        names.set(key, name);
        components[name] = component;
      }
      return { $ref: `#/components/${kind}/${name}` };
    },
  };
}

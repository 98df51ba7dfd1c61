type Properties<Tag extends keyof HTMLElementTagNameMap> = Partial<
  Omit<HTMLElementTagNameMap[Tag], 'style' | 'children'>
>;

/** Creates an element. Strings become text, never HTML. */
export function createElement<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Properties<Tag> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

/** Creates a field below its label. */
export function createField(label: string, field: HTMLElement & { id: string }): HTMLElement {
  return createElement(
    'div',
    { className: 'field' },
    createElement('label', { htmlFor: field.id }, label),
    field,
  );
}

import * as strings from '#strings/conversations';

import { isolate } from '../ui/format.ts';

/** Shows which colleagues are typing a reply. The space is reserved while no colleague is typing. */
export function TypingColleagues({ names }: { names: readonly string[] }) {
  const text = describeTyping(names);
  return (
    <p
      role="status"
      className="ml-auto min-w-0 truncate text-[0.8125rem] text-soft"
      title={text === '' ? undefined : text}
    >
      {text}
    </p>
  );
}

function describeTyping(names: readonly string[]): string {
  const [first = '', second = ''] = names;
  if (names.length === 0) return '';
  if (names.length === 1) return strings.oneTypes(isolate(first));
  if (names.length === 2)
    return strings.twoType({ first: isolate(first), second: isolate(second) });
  return strings.manyType(names.length);
}

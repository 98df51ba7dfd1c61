import * as strings from '#strings/conversations';

import { readKey } from '../ui/read-key.ts';
import type { ConversationFilter } from './conversation-filter.ts';

const ASSIGNEES: Record<ConversationFilter['assignee'], string> = {
  all: strings.all,
  me: strings.mine,
  none: strings.unassigned,
};
const STATES: Record<ConversationFilter['state'], string> = {
  open: strings.open,
  closed: strings.closed,
  all: strings.openAndClosed,
};

export function FilterTabs(props: {
  filter: ConversationFilter;
  onChange(filter: ConversationFilter): void;
}) {
  const { filter, onChange } = props;
  return (
    <div className="space-y-2 px-4 pb-2">
      <input
        type="search"
        aria-label={strings.searchConversations}
        data-find
        placeholder={strings.searchConversationsExample}
        className="field h-8 min-h-8 py-0.5"
        maxLength={100}
        value={filter.search}
        onChange={({ target }) => onChange({ ...filter, search: target.value })}
        onKeyDown={(event) => {
          const { currentTarget } = event;
          if (readKey(event) === 'Escape' && currentTarget.value === '') currentTarget.blur();
        }}
      />
      <div className="flex flex-wrap items-center justify-between gap-1">
        <div role="group" aria-label={strings.assigned} className="flex gap-0.5">
          {Object.entries(ASSIGNEES).map(([assignee, label]) => (
            <button
              key={assignee}
              type="button"
              aria-pressed={filter.assignee === assignee}
              className="h-8 rounded-lg px-1.5 text-[0.8125rem] font-medium text-soft hover:bg-sunken aria-pressed:bg-accent-soft aria-pressed:text-accent-strong"
              onClick={() =>
                onChange({ ...filter, assignee: assignee as ConversationFilter['assignee'] })
              }
            >
              {label}
            </button>
          ))}
        </div>
        <select
          aria-label={strings.state}
          className="field h-8 min-h-8 w-auto max-w-24 py-0.5 text-[0.8125rem]"
          value={filter.state}
          onChange={({ target }) =>
            onChange({ ...filter, state: target.value as ConversationFilter['state'] })
          }
        >
          {Object.entries(STATES).map(([state, label]) => (
            <option key={state} value={state}>
              {label}
            </option>
          ))}
        </select>
      </div>
    </div>
  );
}

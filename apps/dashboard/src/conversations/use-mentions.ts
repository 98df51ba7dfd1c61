import { useQuery } from '@tanstack/react-query';
import * as strings from '#strings/conversations';
import { useApi } from '../api/api-context.tsx';
import { membersQuery } from '../api/workspace-queries.ts';
import { type Choice, useChoice } from '../ui/use-choice.ts';
import { type Person, findMentions } from './find-mentions.ts';

const SHOWN = 8;

/** The text of a note, and the people whom its author chose for it. */
export interface NoteText {
  body: string;
  chosen: readonly Person[];
}

/** In a note, an `@` and the letters after it at the end of the text select a member. */
export function useMentions(
  workspaceId: string,
  { body, chosen }: NoteText,
  write: (text: NoteText) => void,
): { choice: Choice; mentions: string[] } {
  const api = useApi();
  const { data, isPending } = useQuery(membersQuery(api, workspaceId));
  const members = data?.data ?? [];
  const [, typed] = /(?:^|\s)@([^@\n]{0,40})$/u.exec(body) ?? [];
  const matching = members
    .filter(({ name }) => name.toLowerCase().startsWith(typed?.toLowerCase() ?? ''))
    .slice(0, SHOWN);
  const choice = useChoice({
    label: strings.members,
    // A complete name is not completed again.
    isOpen: typed !== undefined && matching.length > 0 && !typed.endsWith(' '),
    text: body,
    isLoading: isPending,
    items: matching.map(({ user_id, name, email }) => ({ id: user_id, title: name, about: email })),
    onChoose: ({ id, title }) =>
      write({
        body: `${body.slice(0, body.length - (typed?.length ?? 0))}${title} `,
        // Of members with the same name, the last one who was chosen is meant.
        chosen: [...chosen.filter(({ name }) => name !== title), { id, name: title }],
      }),
  });
  const people = members.map(({ user_id: id, name }) => ({ id, name }));
  return { choice, mentions: findMentions(body, people, chosen) };
}

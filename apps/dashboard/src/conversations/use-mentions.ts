import { useQuery } from '@tanstack/react-query';
import { type NoteRequest, type Person, findMentions, startsWord } from '@switchboard/contracts';
import * as strings from '#strings/conversations';
import { useApi } from '../api/api-context.tsx';
import { membersQuery } from '../api/workspace-queries.ts';
import { type Choice, useChoice } from '../ui/use-choice.ts';
import { type NoteText, trimNote } from './note-text.ts';

const SHOWN = 8;
const NAME_MAX_CHARACTERS = 40;

/**
 * In a note, an `@` and the letters after it at the end of the text select a member.
 *
 * @param mentioned the people whom the note mentions already. They may have left the workspace.
 */
export function useMentions(
  workspaceId: string,
  text: NoteText,
  write: (text: NoteText) => void,
  mentioned: readonly Person[] = [],
): { choice: Choice; toRequest(): NoteRequest } {
  const { body, ranges } = text;
  const api = useApi();
  const { data, isPending } = useQuery(membersQuery(api, workspaceId));
  const members = data?.data ?? [];
  const start = findUnfinished(body);
  const typed = start === null ? '' : body.slice(start + 1);
  const isChosen = ranges.some((range) => range.start === start && range.name === typed);
  const matching = members.filter(({ name }) => matches(name, typed)).slice(0, SHOWN);
  const choice = useChoice({
    label: strings.members,
    // A complete name is not completed again.
    isOpen: start !== null && matching.length > 0 && !isChosen && !typed.endsWith(' '),
    text: body,
    isLoading: isPending,
    items: matching.map(({ user_id, name, email }) => ({ id: user_id, title: name, about: email })),
    onChoose({ id, title: name }) {
      if (start === null) return;
      const before = ranges.filter((range) => range.start < start);
      write({
        body: `${body.slice(0, start + 1)}${name} `,
        ranges: [...before, { id, start, name }],
      });
    },
  });

  function toRequest(): NoteRequest {
    const trimmed = trimNote(text);
    const people = [...members.map(({ user_id: id, name }) => ({ id, name })), ...mentioned];
    const found = findMentions(trimmed.body, people, { chosen: trimmed.ranges });
    const mentions = [...new Set(found.map(({ id }) => id))];
    return { body: trimmed.body, mentions, mention_ranges: found };
  }

  return { choice, toRequest };
}

/** Returns the index of the `@` at the end of a text whose name is not finished; null if there is none. */
function findUnfinished(body: string): number | null {
  const index = body.search(/[@＠][^@＠\n]*$/u);
  if (index === -1 || body.length - index - 1 > NAME_MAX_CHARACTERS) return null;
  return startsWord(body, index) ? index : null;
}

/** Returns whether a word of a name begins with what was typed. Accents need not be typed. */
const matches = (name: string, typed: string): boolean =>
  ` ${withoutAccents(name)}`.includes(` ${withoutAccents(typed)}`);

const withoutAccents = (text: string): string =>
  text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();

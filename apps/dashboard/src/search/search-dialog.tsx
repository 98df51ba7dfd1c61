import { type KeyboardEvent, useRef, useState } from 'react';
import * as actions from '#strings/actions';
import * as strings from '#strings/search';
import { Dialog } from '../ui/dialog.tsx';
import { readKey } from '../ui/read-key.ts';
import { SearchResults } from './search-results.tsx';

/** One search box for words in messages, names of contacts and parts of numbers. */
export function SearchDialog({ workspaceId, onClose }: { workspaceId: string; onClose(): void }) {
  const [text, setText] = useState('');
  const results = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);

  function onKeyDown(event: KeyboardEvent): void {
    const links = [...(results.current?.querySelectorAll('a') ?? [])];
    const at = links.findIndex((link) => link === document.activeElement);
    const isInInput = document.activeElement === input.current;
    const key = readKey(event);
    if (key === 'Enter' && isInInput) links[0]?.click();
    else if (key === 'ArrowDown') links[Math.min(at + 1, links.length - 1)]?.focus();
    else if (key === 'ArrowUp' && at > 0) links[at - 1]?.focus();
    else if (key === 'ArrowUp') input.current?.focus();
    else return;
    event.preventDefault();
  }

  return (
    <Dialog title={actions.search} wide onClose={onClose}>
      <div onKeyDown={onKeyDown}>
        <input
          ref={input}
          type="search"
          aria-label={strings.searchEverything}
          className="field"
          dir="auto"
          placeholder={strings.searchEverythingExample}
          maxLength={100}
          autoComplete="off"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        {/* The height is constant, so that the box does not move while results arrive. */}
        <div ref={results} className="scroller mt-3 h-[min(60dvh,32rem)]">
          <SearchResults workspaceId={workspaceId} text={text} onOpen={onClose} />
        </div>
      </div>
    </Dialog>
  );
}

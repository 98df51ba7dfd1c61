import { useRef } from 'react';
import * as strings from '#strings/media';
import { Button, type ButtonStyle } from '../ui/button.tsx';
import { Paperclip } from '../ui/icons.ts';
import { ACCEPTED_FILES } from './attachment.ts';

/** Lets the user choose files. */
export function AttachButton(
  props: ButtonStyle & { add(files: Iterable<File>): void; className?: string; label?: string },
) {
  const { add, label, ...style } = props;
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        accept={ACCEPTED_FILES}
        className="hidden"
        aria-label={strings.filesToAttach}
        tabIndex={-1}
        onChange={({ currentTarget }) => {
          add([...(currentTarget.files ?? [])]);
          // Reset, so that the same file can be chosen again.
          currentTarget.value = '';
        }}
      />
      <Button
        {...style}
        {...(label === undefined && { 'aria-label': strings.attachFiles })}
        title={strings.attachFilesHint}
        onClick={() => input.current?.click()}
      >
        <Paperclip size={label === undefined ? 17 : 14} aria-hidden />
        {label}
      </Button>
    </>
  );
}

import { Dialog } from '../ui/dialog.tsx';

const SHORTCUTS = [
  ['/', 'Search; in a reply, insert a saved reply'],
  ['f', 'Go to the filters of the messages'],
  ['j', 'Next message'],
  ['k', 'Previous message'],
  ['Enter', 'Open the message'],
  ['Esc', 'Close the message or dialog'],
  ['.', 'Show new messages'],
  ['c', 'Write a message'],
  ['?', 'Show this help'],
] as const;

export function ShortcutHelp({ onClose }: { onClose(): void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className="grid grid-cols-[5rem_1fr] items-center gap-y-2.5">
        {SHORTCUTS.map(([key, what]) => (
          <div key={key} className="contents">
            <dt>
              <kbd className="inline-block min-w-7 rounded-md border border-line-strong bg-sunken px-1.5 py-0.5 text-center font-mono text-xs">
                {key}
              </kbd>
            </dt>
            <dd className="text-soft">{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

import { type ClipboardEvent, useEffect, useEffectEvent, useState } from 'react';

/**
 * Attaches files that are dropped anywhere on the page. While a dialog is open, only a form in the
 * dialog accepts them. Returns whether files are dragged over the page.
 */
export function useFileDrop(isInDialog: boolean, add: (files: Iterable<File>) => void): boolean {
  const [isDragging, setDragging] = useState(false);
  const onDrop = useEffectEvent((files: FileList) => add([...files]));
  useEffect(() => {
    const isOurs = ({ dataTransfer }: DragEvent): boolean =>
      dataTransfer?.types.includes('Files') === true &&
      (document.querySelector('dialog[open]') !== null) === isInDialog;
    const listeners = new AbortController();
    const { signal } = listeners;
    const over = (event: DragEvent): void => {
      if (!isOurs(event)) return;
      event.preventDefault();
      setDragging(true);
    };
    document.addEventListener('dragover', over, { signal });
    document.addEventListener(
      'dragleave',
      // The pointer has left the window only if it has entered no other element.
      ({ relatedTarget }) => relatedTarget === null && setDragging(false),
      { signal },
    );
    document.addEventListener(
      'drop',
      (event) => {
        if (!isOurs(event) || event.dataTransfer === null) return;
        event.preventDefault();
        setDragging(false);
        onDrop(event.dataTransfer.files);
      },
      { signal },
    );
    return () => listeners.abort();
  }, [isInDialog]);
  return isDragging;
}

/**
 * Attaches pasted files. Text that was copied together with a picture of itself is pasted as text.
 */
export function pasteFiles(
  event: ClipboardEvent<HTMLElement>,
  add: (files: Iterable<File>) => void,
): void {
  const { files, types } = event.clipboardData;
  if (files.length === 0 || types.includes('text/plain')) return;
  event.preventDefault();
  add([...files]);
}

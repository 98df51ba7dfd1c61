import * as strings from '#strings/ui';

import { Check, Copy } from './icons.ts';
import { useEffect, useState } from 'react';
import { Button } from './button.tsx';

const TEXTS = {
  none: { shown: strings.copy, named: (label: string) => label },
  copied: { shown: strings.copied, named: strings.copiedNamed },
  refused: { shown: strings.notCopied, named: strings.notCopiedNamed },
} as const;

/** Copies a text to the clipboard, and shows for two seconds whether the browser permitted the copy. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [result, setResult] = useState<keyof typeof TEXTS>('none');
  useEffect(() => {
    if (result === 'none') return;
    const timer = setTimeout(() => setResult('none'), 2_000);
    return () => clearTimeout(timer);
  }, [result]);

  // Browsers offer the clipboard only over https and on localhost.
  if (navigator.clipboard === undefined) return null;
  const { shown, named } = TEXTS[result];
  const Icon = result === 'copied' ? Check : Copy;
  return (
    <Button
      kind="quiet"
      size="small"
      onClick={() =>
        void navigator.clipboard.writeText(text).then(
          () => setResult('copied'),
          () => setResult('refused'),
        )
      }
    >
      <Icon size={14} aria-hidden />
      <span className="sr-only">{named(label)}</span>
      <span aria-hidden>{shown}</span>
    </Button>
  );
}

import * as strings from '#strings/ui';

import { Check, Copy } from './icons.ts';
import { useEffect, useState } from 'react';
import { Button } from './button.tsx';

/** Copies a text to the clipboard and confirms it for two seconds. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2_000);
    return () => clearTimeout(timer);
  }, [copied]);

  // Browsers offer the clipboard only over https and on localhost.
  if (navigator.clipboard === undefined) return null;
  return (
    <Button
      kind="quiet"
      size="small"
      onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}
    >
      {copied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
      <span className="sr-only">{copied ? strings.copiedNamed(label) : label}</span>
      <span aria-hidden>{copied ? strings.copied : strings.copy}</span>
    </Button>
  );
}

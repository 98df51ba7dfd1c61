import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Section } from '../section.tsx';
import { VERIFICATION_EXAMPLES } from './verification-code.ts';

/** Code that verifies the signature of a delivery, in several languages. */
export function VerificationExamples() {
  const [language, setLanguage] = useState<string>(VERIFICATION_EXAMPLES[0].language);
  const shown =
    VERIFICATION_EXAMPLES.find((one) => one.language === language) ?? VERIFICATION_EXAMPLES[0];
  return (
    <Section
      title="Verify a delivery"
      about="Deliveries are signed as in Standard Webhooks. Verify the signature before you use an event, and ignore an event whose webhook-id you have processed."
    >
      <div className="card p-4">
        <div className="mb-3 flex flex-wrap gap-1" role="group" aria-label="Language">
          {VERIFICATION_EXAMPLES.map((example) => (
            <Button
              key={example.language}
              size="small"
              kind={example === shown ? 'primary' : 'plain'}
              aria-pressed={example === shown}
              onClick={() => setLanguage(example.language)}
            >
              {example.language}
            </Button>
          ))}
        </div>
        <p className="mb-2 flex items-center justify-between gap-2">
          <code className="font-mono text-xs text-soft">{shown.install}</code>
          <CopyButton text={shown.code} label={`Copy the code in ${shown.language}`} />
        </p>
        <pre
          tabIndex={0}
          aria-label={`Code in ${shown.language}`}
          className="overflow-auto rounded-lg bg-sunken p-3 font-mono text-xs"
        >
          {shown.code}
        </pre>
      </div>
    </Section>
  );
}

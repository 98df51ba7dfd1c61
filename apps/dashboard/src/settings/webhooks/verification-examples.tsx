import { useState } from 'react';
import * as strings from '#strings/webhooks';
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
    <Section title={strings.verifyDelivery} about={strings.verifyDeliveryAbout}>
      <div className="card p-4">
        <div className="mb-3 flex flex-wrap gap-1" role="group" aria-label={strings.language}>
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
          <CopyButton text={shown.code} label={strings.copyCodeIn(shown.language)} />
        </p>
        <pre
          tabIndex={0}
          aria-label={strings.codeIn(shown.language)}
          className="overflow-auto rounded-lg bg-sunken p-3 font-mono text-xs"
        >
          {shown.code}
        </pre>
      </div>
    </Section>
  );
}

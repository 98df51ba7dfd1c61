import { MEDIA_URLS_MAX } from '@switchboard/contracts';
import { Paperclip, X } from '../ui/icons.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';

/** Addresses that the provider fetches. Nothing is uploaded here. */
export function MediaField(props: { urls: readonly string[]; onChange(urls: string[]): void }) {
  const { urls, onChange } = props;
  return (
    <div className={`space-y-2 ${urls.length > 0 ? 'basis-full' : ''}`}>
      {urls.map((url, index) => (
        <div key={index} className="flex items-end gap-1">
          <Field
            label={`Media address ${index + 1}`}
            className="flex-1"
            error={
              url === '' || isMediaUrl(url) ? null : 'Must be an https address without a password.'
            }
          >
            {(control) => (
              <input
                {...control}
                type="url"
                className="field"
                placeholder="https://example.com/picture.jpg"
                value={url}
                autoFocus={url === ''}
                onChange={(event) => onChange(urls.with(index, event.target.value))}
              />
            )}
          </Field>
          <Button
            kind="quiet"
            size="icon"
            aria-label={`Remove media address ${index + 1}`}
            onClick={() => onChange(urls.filter((_, other) => other !== index))}
          >
            <X size={16} aria-hidden />
          </Button>
        </div>
      ))}
      {urls.length < MEDIA_URLS_MAX && (
        <Button
          size="small"
          kind="quiet"
          className="-ml-2.5"
          onClick={() => onChange([...urls, ''])}
        >
          <Paperclip size={14} aria-hidden />
          {urls.length === 0 ? 'Attach media' : 'Attach more'}
        </Button>
      )}
    </div>
  );
}

function isMediaUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return protocol === 'https:' && username === '' && password === '';
}

import { MEDIA_URLS_MAX } from '@switchboard/contracts';
import * as strings from '#strings/compose';
import { messageForField } from '../api/field-messages.ts';
import { Link2, X } from '../ui/icons.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';

/** Edits the URLs from which the provider fetches media. */
export function MediaField(props: { urls: readonly string[]; onChange(urls: string[]): void }) {
  const { urls, onChange } = props;
  return (
    <div className={`space-y-2 ${urls.length > 0 ? 'basis-full' : ''}`}>
      {urls.map((url, index) => (
        <div key={index} className="flex items-end gap-1">
          <Field
            label={strings.mediaUrl(index + 1)}
            name={`media_urls[${index}]`}
            className="flex-1"
            error={url === '' || isMediaUrl(url) ? null : (messageForField('media_urls') ?? null)}
          >
            {(control) => (
              <input
                {...control}
                ref={(input) =>
                  input?.setCustomValidity(
                    url === '' || isMediaUrl(url) ? '' : (messageForField('media_urls') ?? ''),
                  )
                }
                type="text"
                inputMode="url"
                className="field"
                placeholder={strings.mediaUrlExample}
                value={url}
                autoFocus={url === ''}
                onChange={(event) => onChange(urls.with(index, event.target.value))}
              />
            )}
          </Field>
          <Button
            kind="quiet"
            size="icon"
            aria-label={strings.removeMediaUrl(index + 1)}
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
          <Link2 size={14} aria-hidden />
          {urls.length === 0 ? strings.attachByUrl : strings.attachAnotherUrl}
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

import { Fragment } from 'react';
import { splitLinks } from './split-links.ts';

/** Shows a text in which web addresses are links. */
export function LinkedText({ text }: { text: string }) {
  return splitLinks(text).map(({ text: part, href, written }, index) =>
    href === null ? (
      <Fragment key={index}>{part}</Fragment>
    ) : (
      <a
        key={index}
        href={href}
        title={written}
        // Isolates the address from the direction of the text around it.
        dir="ltr"
        target="_blank"
        rel="noreferrer noopener nofollow"
        className="underline underline-offset-2"
      >
        {part}
      </a>
    ),
  );
}

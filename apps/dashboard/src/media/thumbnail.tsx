import { useEffect, useRef, useState } from 'react';
import { FileText, Music, Play } from '../ui/icons.ts';
import type { MediaSource } from './attachment.ts';
import { useMediaFile } from './use-media-file.ts';

/** The distance from the view at which files are loaded. */
const AHEAD = '300px';

/** Shows a small picture of a file. Only pictures are loaded, and only when they are near the view. */
export function Thumbnail(props: {
  workspaceId: string;
  source: MediaSource;
  contentType: string | null;
  /** Empty if the surrounding element has a name. */
  alt: string;
}) {
  const { workspaceId, source, contentType, alt } = props;
  const frame = useRef<HTMLSpanElement>(null);
  const [isNear, setNear] = useState(false);
  const isPicture = contentType?.startsWith('image/') === true;
  const { url, error } = useMediaFile(workspaceId, source, isPicture && isNear);
  const [isBroken, setBroken] = useState(false);
  useEffect(() => {
    if (frame.current === null) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true);
      },
      { rootMargin: AHEAD },
    );
    observer.observe(frame.current);
    return () => observer.disconnect();
  }, []);
  const isLoading = isPicture && url === null && error === null;
  return (
    <span
      ref={frame}
      className={`grid size-full place-items-center overflow-hidden bg-sunken text-faint ${isLoading ? 'animate-pulse' : ''}`}
    >
      {url !== null && !isBroken ? (
        <img
          src={url}
          alt={alt}
          className="size-full object-cover"
          onError={() => setBroken(true)}
        />
      ) : (
        !isLoading && <KindIcon contentType={contentType} />
      )}
    </span>
  );
}

function KindIcon({ contentType }: { contentType: string | null }) {
  if (contentType?.startsWith('video/') === true) return <Play size={22} aria-hidden />;
  if (contentType?.startsWith('audio/') === true) return <Music size={22} aria-hidden />;
  return <FileText size={22} aria-hidden />;
}

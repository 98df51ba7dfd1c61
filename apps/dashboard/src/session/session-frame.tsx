import type { ReactNode } from 'react';
import { Brand } from '../ui/brand.tsx';
import { useTitle } from '../ui/use-title.ts';

/** The layout of forms that are shown before sign-in or before a workspace exists. */
export function SessionFrame({ title, children }: { title: string; children: ReactNode }) {
  useTitle(title);
  return (
    <main className="scroller grid h-dvh justify-items-center bg-canvas px-4 py-6 sm:py-10">
      {/* Centered while it fits; otherwise its top stays within reach. */}
      <div className="my-auto w-full max-w-sm">
        <div className="mb-6 flex justify-center text-lg">
          <Brand />
        </div>
        <div className="card p-6 shadow-float">
          <h1 className="mb-5 text-lg font-semibold">{title}</h1>
          {children}
        </div>
      </div>
    </main>
  );
}

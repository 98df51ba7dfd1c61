import type { ReactNode } from 'react';
import { Brand } from '../ui/brand.tsx';
import { useTitle } from '../ui/use-title.ts';

/** The layout of forms that are shown before sign-in or before a workspace exists. */
export function SessionFrame({ title, children }: { title: string; children: ReactNode }) {
  useTitle(title);
  return (
    <main className="grid min-h-dvh place-items-center bg-canvas px-4 py-10">
      <div className="w-full max-w-sm">
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

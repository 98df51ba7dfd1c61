import type { JSX, ReactNode, SVGProps } from 'react';

export type Icon = (props: { size?: number } & SVGProps<SVGSVGElement>) => JSX.Element;

/** Returns the component of an icon. `shapes` are SVG elements in a square of 24 units. */
export function createIcon(shapes: ReactNode): Icon {
  return ({ size = 24, ...props }) => (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      viewBox="0 0 24 24"
      width={size}
      height={size}
      {...props}
    >
      {shapes}
    </svg>
  );
}

import type { SVGProps } from 'react';

export type Icon = (props: { size?: number } & SVGProps<SVGSVGElement>) => React.JSX.Element;

/** Returns the component of an icon. `body` is the SVG inside of 24 × 24 units, from the package of the icons. */
export function createIcon(body: string): Icon {
  return ({ size = 24, ...props }) => (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      viewBox="0 0 24 24"
      width={size}
      height={size}
      dangerouslySetInnerHTML={{ __html: body }}
      {...props}
    />
  );
}

import * as names from '#strings/names';
import { ICON_URL } from '../base-path.ts';
export function Brand() {
  return (
    <span className="inline-flex items-center gap-2.5 font-semibold tracking-tight">
      <img src={ICON_URL} alt="" width={24} height={24} />
      {names.product}
    </span>
  );
}

import * as names from '#strings/names';
export function Brand() {
  return (
    <span className="inline-flex items-center gap-2.5 font-semibold tracking-tight">
      <img src="/icon.svg" alt="" width={24} height={24} />
      {names.product}
    </span>
  );
}

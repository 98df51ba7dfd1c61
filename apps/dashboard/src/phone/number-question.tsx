import * as strings from '#strings/phone';
import { Button } from '../ui/button.tsx';
import { describeNumber } from './describe-number.ts';

/** Offers the numbers that digits without a plus may be, with their countries. */
export function NumberQuestion(props: { ask: readonly string[]; onChoose(number: string): void }) {
  return (
    <div role="group" aria-label={strings.whichNumber} className="mt-1 flex flex-wrap gap-2">
      {props.ask.map((number) => (
        <Button key={number} size="small" onClick={() => props.onChoose(number)}>
          <span className="tabular-nums">{describeNumber(number)}</span>
        </Button>
      ))}
    </div>
  );
}

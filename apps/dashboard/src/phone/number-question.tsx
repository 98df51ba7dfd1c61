import * as strings from '#strings/phone';
import { Button } from '../ui/button.tsx';
import { describeNumber } from './describe-number.ts';

/** Asks which of the numbers is meant that digits without a plus can be. */
export function NumberQuestion(props: { ask: readonly string[]; onChoose(number: string): void }) {
  return (
    <span className="flex flex-wrap items-center gap-2">
      {strings.whichNumber}
      {props.ask.map((number) => (
        <Button key={number} size="small" onClick={() => props.onChoose(number)}>
          <span className="tabular-nums">{describeNumber(number)}</span>
        </Button>
      ))}
    </span>
  );
}

/**
 * The forms under which carriers and vendors report and accept one subscriber's number, in both directions:
 * plans that changed since 2019, and prefixes that some networks add.
 */
const FORMS: readonly (readonly [form: RegExp, other: string])[] = [
  // Mexico: the 1 of mobile numbers, without meaning since August 2019.
  [/^\+521([2-9]\d{9})$/, '+52$1'],
  [/^\+52([2-9]\d{9})$/, '+521$1'],
  // Argentina: mobile numbers have a 9 in calls from abroad, but in texts often not.
  [/^\+549([1-3]\d{9})$/, '+54$1'],
  [/^\+54([1-3]\d{9})$/, '+549$1'],
  // Brazil: the ninth digit of mobile numbers. Without it, those of landlines begin with 2 to 5.
  [/^\+55([1-9][1-9])9([6-9]\d{7})$/, '+55$1$2'],
  [/^\+55([1-9][1-9])([6-9]\d{7})$/, '+55$19$2'],
  // Ivory Coast: since 2021, mobile numbers begin with two digits of the operator, which the second digit named.
  [/^\+22501([04-9][0-3]\d{6})$/, '+225$1'],
  [/^\+225([04-9][0-3]\d{6})$/, '+22501$1'],
  [/^\+22505([04-9][4-6]\d{6})$/, '+225$1'],
  [/^\+225([04-9][4-6]\d{6})$/, '+22505$1'],
  [/^\+22507([04-9][7-9]\d{6})$/, '+225$1'],
  [/^\+225([04-9][7-9]\d{6})$/, '+22507$1'],
  // Benin: all numbers begin with 01 since 2024-11-30.
  [/^\+22901(\d{8})$/, '+229$1'],
  [/^\+229(\d{8})$/, '+22901$1'],
  // Gabon: from 2019 to 2024, a digit of the operator replaced the 0, which some networks left out.
  [/^\+2416([256]\d{6})$/, '+2410$1'],
  [/^\+2417([47]\d{6})$/, '+2410$1'],
  [/^\+2410([24-7]\d{6})$/, '+241$1'],
  [/^\+2410?([256]\d{6})$/, '+2416$1'],
  [/^\+2410?([47]\d{6})$/, '+2417$1'],
  // Palestine: mobile numbers are reached under the country code of Israel, too.
  [/^\+970(5[69]\d{7})$/, '+972$1'],
  [/^\+972(5[69]\d{7})$/, '+970$1'],
];

/**
 * Returns the forms of a number that its numbering plan assigns to the same subscriber, the given one first.
 * Most numbers have no other form.
 *
 * @example subscriberForms('+5215512345678') // ['+5215512345678', '+525512345678']
 */
export function subscriberForms(number: string): readonly string[] {
  const forms = [number];
  // A form that is added is searched for further forms by the same loop.
  for (const form of forms) {
    for (const [pattern, other] of FORMS) {
      const found = form.replace(pattern, other);
      if (found !== form && !forms.includes(found)) forms.push(found);
    }
  }
  return forms;
}

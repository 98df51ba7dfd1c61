/** An error code in words: what happened, and what a person can do about it. */
export interface ErrorExplanation {
  what: string;
  todo: string;
}

/** Twilio's codes, https://www.twilio.com/docs/api/errors, and the two that are ours. */
const EXPLANATIONS: Readonly<Record<string, readonly [what: string, todo: string]>> = {
  outcome_unknown: [
    'The provider never said whether it took the message, and could not be asked.',
    'Ask the recipient before sending it again: they may have it.',
  ],
  provider_unreachable: [
    'The provider could not be reached for as long as it was tried.',
    'Check the provider’s status page, then send the message again.',
  ],
  '20003': [
    'The provider refused the account’s credentials.',
    'Set the account SID and auth token again under Settings, Provider.',
  ],
  '20429': [
    'The provider received too many requests at once.',
    'Send more slowly, then try again.',
  ],
  '20500': [
    'The provider had an internal error.',
    'Look at its status page; ask the recipient before sending again.',
  ],
  '20503': [
    'The provider was not available.',
    'Look at its status page; ask the recipient before sending again.',
  ],
  '21211': [
    'The recipient is not a valid phone number.',
    'Check the number, its country code too.',
  ],
  '21212': [
    'The sender is not a valid number.',
    'Choose another sender, or check it under Settings.',
  ],
  '21408': [
    'The account may not send to that country.',
    'Allow the country in the provider’s geographic permissions.',
  ],
  '21602': ['The message had neither text nor media.', 'Write a text or attach media.'],
  '21606': [
    'The sender does not belong to the provider’s account, or can’t send messages.',
    'Choose a number that the account owns.',
  ],
  '21608': [
    'A trial account sends to verified numbers only.',
    'Verify the recipient at the provider, or upgrade the account.',
  ],
  '21610': [
    'The recipient has opted out of messages from this sender.',
    'Do not send again. Only they can opt in, by answering START.',
  ],
  '21611': [
    'The sender’s queue at the provider is full.',
    'Send more slowly, or spread the messages over more numbers.',
  ],
  '21612': [
    'The provider has no route from this sender to this recipient.',
    'Try another sender, one of the recipient’s country for instance.',
  ],
  '21614': ['The recipient is not a mobile number.', 'Ask for a mobile number.'],
  '21617': ['The text is too long.', 'Keep it within 1,600 characters.'],
  '21620': [
    'The provider could not use the media’s address.',
    'Check that the address is public and begins with https.',
  ],
  '21623': ['Too many media were attached.', 'Attach at most ten.'],
  '30001': ['The sender’s queue overflowed.', 'Send more slowly, or use more numbers.'],
  '30002': ['The provider has suspended the account.', 'Contact the provider.'],
  '30003': [
    'The recipient’s phone could not be reached: off, or without a network.',
    'Try again later.',
  ],
  '30004': [
    'The message was blocked: the recipient does not take such messages.',
    'Contact them some other way.',
  ],
  '30005': ['The number is unknown to the carrier, or no longer in use.', 'Check the number.'],
  '30006': [
    'The recipient is a landline, or its carrier can’t be reached.',
    'Ask for a mobile number.',
  ],
  '30007': [
    'A carrier filtered the message as unwanted.',
    'Avoid shortened links and shouting; register the sender if its country asks for it.',
  ],
  '30008': [
    'The carrier gave no reason.',
    'Try again; if it happens again, ask the provider about this message’s identifier.',
  ],
  '30034': [
    'The sender is not registered for application traffic in the United States.',
    'Register it for A2P 10DLC at the provider.',
  ],
};

export function explainError(code: string): ErrorExplanation {
  const [what, todo] = EXPLANATIONS[code] ?? [
    'Unknown error.',
    'Look the code up in the provider’s documentation.',
  ];
  return { what, todo };
}

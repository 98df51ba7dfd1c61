type Explanation = readonly [what: string, todo: string];

/**
 * What happened, and what the user can do, by error code: Twilio's codes (https://www.twilio.com/docs/api/errors) and those of
 * the service.
 */
export const errorCodes: Readonly<Record<string, Explanation>> = {
  outcome_unknown: [
    'The provider did not confirm whether it accepted the message.',
    'The recipient may have received the message. Ask before you send it again.',
  ],
  provider_unreachable: [
    'The provider could not be reached, and the message expired.',
    'Check the provider’s status page, then send the message again.',
  ],
  recipient_opted_out: [
    'The recipient opted out before the message was sent.',
    'Do not send again. Only the recipient can opt in, by sending START.',
  ],
  media_not_supported: [
    'The provider account can send only text, but the message has media.',
    'Send the text without media, or route the message to an account that sends media.',
  ],
  no_sender: [
    'The provider account needs a sender, but the message has none.',
    'Choose a sender, or add a number to the account under Settings, Numbers.',
  ],
  text_not_in_charset: [
    'The message has a character that the charset of the HTTP gateway lacks.',
    'Use another charset in the gateway’s configuration, such as UTF-8, or remove the character.',
  ],
  '20003': [
    'The provider refused the account’s credentials.',
    'Enter the account’s credentials again under Settings, Provider.',
  ],
  '20429': ['The provider received too many requests at once.', 'Send more slowly and try again.'],
  '20500': [
    'The provider had an internal error.',
    'Check the provider’s status page. Ask the recipient before you send the message again.',
  ],
  '20503': [
    'The provider was not available.',
    'Check the provider’s status page. Ask the recipient before you send the message again.',
  ],
  '21211': ['The recipient is not a valid phone number.', 'Check the number and its country code.'],
  '21212': [
    'The sender is not a valid number.',
    'Choose another sender, or check this one under Settings, Numbers.',
  ],
  '21408': [
    'The account is not allowed to send to the recipient’s country.',
    'Enable the country in the provider’s geographic permissions.',
  ],
  '21602': ['The message has neither text nor media.', 'Enter some text, or attach media.'],
  '21606': [
    'The sender does not belong to this provider account, or can’t send messages.',
    'Choose a number that the account owns.',
  ],
  '21608': [
    'A trial account can send only to verified numbers.',
    'Verify the recipient with the provider, or upgrade the account.',
  ],
  '21610': [
    'The recipient has opted out of messages from this sender.',
    'Do not send again. Only the recipient can opt in, by sending START.',
  ],
  '21611': [
    'The sender’s queue at the provider is full.',
    'Send more slowly, or use more numbers.',
  ],
  '21612': [
    'The provider has no route from this sender to this recipient.',
    'Try another sender, for example one in the recipient’s country.',
  ],
  '21614': ['The recipient is not a mobile number.', 'Ask for a mobile number.'],
  '21617': ['The text is too long.', 'Shorten it to at most 1,600 characters.'],
  '21620': [
    'The provider could not load the media.',
    'Check that the media URL is public and begins with https://.',
  ],
  '21623': ['The message has too many attachments.', 'Attach at most ten.'],
  '21659': [
    'The sender is not one of the provider’s numbers, or it is a short code of another country.',
    'Check the sender under Settings, Numbers. A short code reaches only its own country.',
  ],
  '21660': [
    'The sender belongs to another account with the provider.',
    'Use the account that owns the number, or choose another sender.',
  ],
  '21703': [
    'The messaging service has no number that can send this message.',
    'Add a number to the messaging service in the provider’s console, or choose a sender.',
  ],
  '30001': ['The sender’s queue is full.', 'Send more slowly, or use more numbers.'],
  '30002': ['The provider has suspended the account.', 'Contact the provider.'],
  '30003': [
    'The recipient’s phone could not be reached. It may be switched off or have no network.',
    'Try again later.',
  ],
  '30004': [
    'The recipient’s phone or carrier blocked the message.',
    'Contact the recipient in another way.',
  ],
  '30005': ['The number does not exist, or is no longer in use.', 'Check the number.'],
  '30006': [
    'The recipient is a landline, or its carrier can’t be reached.',
    'Ask for a mobile number.',
  ],
  '30007': [
    'A carrier filtered the message as spam.',
    'Avoid shortened links and words in capital letters. Register the sender if its country requires registration.',
  ],
  '30008': [
    'The carrier did not deliver the message and gave no reason.',
    'Send the message again. If it fails again, contact the provider and give the provider’s message ID.',
  ],
  '30022': [
    'Messages were sent faster than the carrier allows for this sender’s campaign.',
    'Send more slowly, and do not send many messages to one number in a short time.',
  ],
  '30023': [
    'The sender’s brand has reached a carrier’s daily message limit.',
    'Send again tomorrow, or ask the provider for a higher limit.',
  ],
  '30032': [
    'The toll-free sender is not verified.',
    'Verify the sender with the provider, or choose another one.',
  ],
  '30034': [
    'The sender is not registered for messages from applications in the United States.',
    'Register the sender for A2P 10DLC with the provider.',
  ],
};

/** The provider reported words without a code. */
export const withoutCode: Explanation = [
  'The provider reported an error without a code.',
  'Read what the provider says below, or search for its words in the provider’s documentation.',
];

export const unknownCode: Explanation = [
  'Unknown error.',
  'Search for the code in the provider’s documentation.',
];

/**
 * What the public documentation of another product says a task needs. A task that the documentation
 * does not describe has no entry.
 */
export interface OtherWay {
  product: 'Front' | 'Chatwoot' | 'Linear' | 'Twilio’s console';
  clicks: number;
  keys: number;
  /**
   * `documented`: the page names each key or click. `estimate`: we counted the described steps, with the rules for
   * our own figures.
   */
  basis: 'documented' | 'estimate';
  page: string;
  /** Whether the page describes only a part of the task. */
  isPartial?: boolean;
}

const FRONT = 'https://help.front.com';
const ARCHIVE = {
  product: 'Front',
  page: `${FRONT}/t/8024vn/how-to-archive-a-conversation`,
} as const;
const SECTIONS = {
  product: 'Front',
  page: `${FRONT}/en/articles/2257`,
} as const;
const LESSONS = 'https://www.chatwoot.com/hc/chatwoot-user-guide-cloud-version/articles';
const BASICS = {
  product: 'Chatwoot',
  page: `${LESSONS}/1677231493-lesson-2-dashboard-basics`,
} as const;
const FEATURES = {
  product: 'Chatwoot',
  page: `${LESSONS}/1677235281-lesson-3-a-mastering-core-features`,
} as const;
const ASSIGN = {
  product: 'Linear',
  page: 'https://linear.app/docs/assigning-issues',
} as const;
const CONCEPTS = {
  product: 'Linear',
  page: 'https://linear.app/docs/conceptual-model',
} as const;
const DEBUGGING = {
  product: 'Twilio’s console',
  page: 'https://www.twilio.com/docs/messaging/guides/debugging-tools',
} as const;

/** The ways of other products, by the name of our task. */
export const OTHER_WAYS: Readonly<Record<string, readonly OtherWay[]>> = {
  'Answer with a saved reply': [
    {
      ...FEATURES,
      clicks: 0,
      keys: 2,
      basis: 'documented',
    },
  ],
  'See who the customer is, with tags and order': [
    {
      ...BASICS,
      clicks: 1,
      keys: 0,
      basis: 'estimate',
    },
  ],
  'Give a conversation to a colleague': [
    {
      ...ASSIGN,
      clicks: 0,
      keys: 2,
      basis: 'estimate',
    },
    {
      ...BASICS,
      clicks: 2,
      keys: 0,
      basis: 'estimate',
    },
  ],
  'Hand a conversation to a colleague with a note': [
    {
      ...FEATURES,
      clicks: 5,
      keys: 0,
      basis: 'estimate',
    },
  ],
  'Take a conversation': [{ ...ASSIGN, clicks: 0, keys: 1, basis: 'documented' }],
  'See only what is assigned to me': [
    {
      ...SECTIONS,
      clicks: 1,
      keys: 0,
      basis: 'estimate',
    },
    { ...BASICS, clicks: 1, keys: 0, basis: 'estimate' },
  ],
  'See what is unassigned': [{ ...BASICS, clicks: 1, keys: 0, basis: 'estimate' }],
  'See the notes that mention me': [
    {
      ...SECTIONS,
      clicks: 1,
      keys: 0,
      basis: 'estimate',
    },
    { ...FEATURES, clicks: 1, keys: 0, basis: 'estimate' },
  ],
  'Close a conversation': [
    {
      ...ARCHIVE,
      clicks: 1,
      keys: 0,
      basis: 'documented',
    },
  ],
  'Find a closed conversation and open it again': [
    {
      ...ARCHIVE,
      clicks: 3,
      keys: 0,
      basis: 'estimate',
    },
  ],
  'Write to a new number': [
    {
      ...CONCEPTS,
      isPartial: true,
      clicks: 0,
      keys: 1,
      basis: 'documented',
    },
  ],
  'See why a message failed, and send it again': [
    {
      ...DEBUGGING,
      isPartial: true,
      clicks: 4,
      keys: 0,
      basis: 'estimate',
    },
  ],
};

/**
 * What the public documentation of another product says a task needs. A task that the documentation
 * does not describe has no entry.
 */
export interface OtherWay {
  product: 'Front' | 'Chatwoot' | 'Linear' | 'Twilio’s console';
  /** The documented way, in our words. */
  way: string;
  clicks: number;
  keys: number;
  /**
   * `documented`: the page names each key or click. `estimate`: we counted the described steps, with the rules for
   * our own figures.
   */
  basis: 'documented' | 'estimate';
  /** The title of the page. */
  title: string;
  page: string;
}

const FRONT = 'https://help.front.com';
const ARCHIVE = {
  product: 'Front',
  title: 'How to archive a conversation',
  page: `${FRONT}/t/8024vn/how-to-archive-a-conversation`,
} as const;
const SECTIONS = {
  product: 'Front',
  title: 'Understanding your inbox sections',
  page: `${FRONT}/en/articles/2257`,
} as const;
const LESSONS = 'https://www.chatwoot.com/hc/chatwoot-user-guide-cloud-version/articles';
const BASICS = {
  product: 'Chatwoot',
  title: 'Lesson 2: Dashboard basics',
  page: `${LESSONS}/1677231493-lesson-2-dashboard-basics`,
} as const;
const FEATURES = {
  product: 'Chatwoot',
  title: 'Lesson 3 (A): Mastering core features',
  page: `${LESSONS}/1677235281-lesson-3-a-mastering-core-features`,
} as const;
const ASSIGN = {
  product: 'Linear',
  title: 'Assign and delegate issues',
  page: 'https://linear.app/docs/assigning-issues',
} as const;
const CONCEPTS = {
  product: 'Linear',
  title: 'Concepts',
  page: 'https://linear.app/docs/conceptual-model',
} as const;
const DEBUGGING = {
  product: 'Twilio’s console',
  title: 'Debugging Tools',
  page: 'https://www.twilio.com/docs/messaging/guides/debugging-tools',
} as const;

/** The ways of other products, by the name of our task. */
export const OTHER_WAYS: Readonly<Record<string, readonly OtherWay[]>> = {
  'Answer with a saved reply': [
    {
      ...FEATURES,
      way: 'Canned responses reply “in two keystrokes”, besides the name of the response.',
      clicks: 0,
      keys: 2,
      basis: 'documented',
    },
  ],
  'See who the customer is, with tags and order': [
    {
      ...BASICS,
      way: 'Open the conversation; the context panel beside it has the contact and its attributes.',
      clicks: 1,
      keys: 0,
      basis: 'estimate',
    },
  ],
  'Give a conversation to a colleague': [
    {
      ...ASSIGN,
      way: 'Press A on an issue to open the menu of people, type a name, press Enter.',
      clicks: 0,
      keys: 2,
      basis: 'estimate',
    },
    {
      ...BASICS,
      way: 'Open the list of agents in the conversation actions and select one.',
      clicks: 2,
      keys: 0,
      basis: 'estimate',
    },
  ],
  'Hand a conversation to a colleague with a note': [
    {
      ...FEATURES,
      way: 'Switch to Private Note, type `@` and select the colleague, Send; then assign in the conversation actions.',
      clicks: 5,
      keys: 0,
      basis: 'estimate',
    },
  ],
  'Take a conversation': [
    { ...ASSIGN, way: 'Press I on an issue.', clicks: 0, keys: 1, basis: 'documented' },
  ],
  'See only what is assigned to me': [
    {
      ...SECTIONS,
      way: 'Click the section Assigned to me.',
      clicks: 1,
      keys: 0,
      basis: 'estimate',
    },
    { ...BASICS, way: 'Click the tab Mine.', clicks: 1, keys: 0, basis: 'estimate' },
  ],
  'See what is unassigned': [
    { ...BASICS, way: 'Click the tab Unassigned.', clicks: 1, keys: 0, basis: 'estimate' },
  ],
  'See the notes that mention me': [
    {
      ...SECTIONS,
      way: 'Click the section Shared with me, which has the conversations with mentions.',
      clicks: 1,
      keys: 0,
      basis: 'estimate',
    },
    { ...FEATURES, way: 'Open the view Mentions.', clicks: 1, keys: 0, basis: 'estimate' },
  ],
  'Close a conversation': [
    {
      ...ARCHIVE,
      way: 'Click the archive icon above the conversation, or press the shortcut.',
      clicks: 1,
      keys: 0,
      basis: 'documented',
    },
  ],
  'Find a closed conversation and open it again': [
    {
      ...ARCHIVE,
      way: 'Click the tab Archived, the conversation, and its archive icon.',
      clicks: 3,
      keys: 0,
      basis: 'estimate',
    },
  ],
  'Write to a new number': [
    {
      ...CONCEPTS,
      way: 'Type C on any page, for an issue; only this step is described.',
      clicks: 0,
      keys: 1,
      basis: 'documented',
    },
  ],
  'See why a message failed, and send it again': [
    {
      ...DEBUGGING,
      way: 'Monitor, Logs, Error Logs, then the event, which has the error and the request. Sending it again is not described.',
      clicks: 4,
      keys: 0,
      basis: 'estimate',
    },
  ],
};

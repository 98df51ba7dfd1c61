import type { ReactNode } from 'react';

// email-banner.tsx
export const confirmYourEmail = 'Confirm your email address';
export const sendLinkAgain = 'Send a link';
export const confirmEmailOf = (email: string) =>
  `To confirm your email address, open the link in the mail to ${email}. No mail?`;
export const confirmationSent = (email: string) => `A link was sent to ${email}.`;

// account-menu.tsx
export const workspace = 'Workspace';
export const workspacesAndAccount = 'Workspaces and account';
export const workspaces = 'Workspaces';
export const newWorkspace = 'New workspace';
export const signOut = 'Sign out';
export const timesIn = (timeZone: string) => `Times in ${timeZone}`;

// connection-banner.tsx
export const connectionLost = (time: string) => `Connection lost at ${time}. Reconnecting…`;
export const live = 'Live';
export const connecting = 'Connecting…';
export const disconnected = 'Disconnected';

// getting-started.tsx
export const connectProviderWhy = 'The account that sends your messages.';
export const addANumber = 'Add a number';
export const addNumberWhy = 'The number that sends your messages and receives replies.';
export const createApiKey = 'Create an API key';
export const createKeyWhy = 'Your programs use the key to send messages.';
export const sendFirstMessage = 'Send your first message';
export const firstMessageSimulated =
  'To any number. Nothing leaves this machine: a phone in your browser receives it.';
export const firstMessageWhy = 'For example, to your own phone.';
export const ownerConnectsProvider =
  'An owner has to connect a provider first. Until then, no message can be sent.';
export const stepDone = ({ name, hidden }: { name: string; hidden: Wrap }) => (
  <>
    {name}
    {hidden(' (done)')}
  </>
);
export const firstSteps = 'First steps';
export const setUp = 'Set up';
export const setUpNamed = (step: string) => `Set up: ${step}`;

// mode-switch.tsx
export const modes = 'Live mode or test mode';
export const liveMode = 'Live mode';
export const testMode = 'Test mode';
export const testModeAbout =
  'Test mode: messages are simulated and reach no phone. Live data is not affected.';
export const testModeAboutShort = 'Test mode: nothing is sent.';
export const leaveTestMode = 'Leave test mode';

// navigation.tsx
export const shortcuts = (key: ReactNode) => <>{key} Shortcuts</>;
export const views = 'Views';
export const keyboardShortcuts = 'Keyboard shortcuts';

// new-workspace-page.tsx
export const name = 'Name';
export const nameHint =
  'Each workspace has its own provider, numbers, API keys, members and history.';
export const createWorkspace = 'Create workspace';

// route-failure.tsx
export const pageNotFound = 'Page not found';
export const pageNotFoundHint = 'The address may be mistyped or outdated.';
export const noAccess = 'You don’t have access to this workspace';
export const noAccessHint =
  'You are not a member of this workspace, or it does not exist. Ask an owner for an invitation.';
export const goToYourMessages = 'Go to your messages';

// shortcut-help.tsx
export const singleKeys = 'Single-key shortcuts';
export const esc = 'Esc';
export const singleKeysHint =
  'Turn them off if you use speech input or press keys by accident. Enter and Esc always work. This browser remembers your choice.';

// shortcuts.ts
export const onEveryPage = 'On every page';
export const inLists = 'In lists';
export const inConversation = 'In a conversation';
export const searchShortcut = 'Search; in a reply, insert a saved reply';
export const showThisHelp = 'Show this help';
export const nextMessageOrConversation = 'Next message or conversation';
export const previousMessageOrConversation = 'Previous message or conversation';
export const openSelected = 'Open the selected message or conversation';
export const closeOpen = 'Close the message, conversation or dialog';
export const goToFilters = 'Go to the filters';
export const showNew = 'Show new messages or updates';
export const writeReply = 'Write a reply';
export const writeNote = 'Write a note';
export const assignToMe = 'Assign to me';
export const assignToSomeone = 'Assign to someone';
export const closeOrReopen = 'Close or reopen';
export const markAsUnread = 'Mark as unread';
export const showContact = 'Show the contact';

// simulator-banner.tsx
export const simulatorRunning = 'A carrier simulator is running: nothing leaves this machine.';
export const simulatorRunningShort = 'Nothing leaves this machine.';
export const openPhone = 'Open a phone';
export const restartWithAddresses =
  'Stop Switchboard. Start it again with Twilio’s address and the address at which Twilio can reach Switchboard:';
export const enterCredentials = (link: Wrap) => (
  <>Enter your account SID and auth token in {link('Settings, Provider')}.</>
);
export const addBoughtNumber = (link: Wrap) => (
  <>In {link('Settings, Numbers')}, add a number that you bought from Twilio.</>
);
export const carrierSimulator = 'Carrier simulator';
export const connectRealAccount = 'Connect a real account';
export const simulatorAbout =
  'The simulator responds like Twilio. Only its phones in the browser receive messages. To send real messages:';

// theme-choice.tsx
export const theme = 'Theme';
export const themes = { system: 'System', light: 'Light', dark: 'Dark' };

// workspace-shell.tsx
export const skipToContent = 'Skip to content';

type Wrap = (text: string) => ReactNode;

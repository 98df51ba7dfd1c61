export const name = 'Sandbox';
export const about =
  'Sends nothing: every message counts as delivered immediately. For trying out Switchboard.';

interface Limits {
  RATE_LIMIT_MESSAGING: number;
  RATE_LIMIT_WORKSPACE?: number | undefined;
  RATE_LIMIT_WEBHOOKS?: number | undefined;
}

/** Adds the limits of a workspace that are not set, which follow from others. */
export function withWorkspaceLimits<Settings extends Limits>(settings: Settings) {
  const workspaceLimit = settings.RATE_LIMIT_WORKSPACE ?? 10 * settings.RATE_LIMIT_MESSAGING;
  return {
    ...settings,
    RATE_LIMIT_WORKSPACE: workspaceLimit,
    RATE_LIMIT_WEBHOOKS: settings.RATE_LIMIT_WEBHOOKS ?? 10 * workspaceLimit,
  };
}

import { optional, withDefault } from './declare-setting.ts';
import { groupRolesSetting, issuerSetting, scopesSetting } from './oidc-kinds.ts';
import { booleanSetting, patternSetting, textSetting } from './setting-kinds.ts';

export const OIDC_SETTINGS = {
  OIDC_ISSUER: optional(issuerSetting(), {
    readBy: ['api'],
    absent: 'no single sign-on',
    description:
      'The identity provider for [single sign-on](single-sign-on.md) with OpenID Connect. Set together with `OIDC_CLIENT_ID` and `OIDC_CLIENT_SECRET`. The redirect URI is `PUBLIC_URL/api/ui/oidc/callback`.',
  }),
  OIDC_CLIENT_ID: optional(textSetting(), {
    readBy: ['api'],
    absent: 'no single sign-on',
    description: 'The identifier that the provider gives this installation.',
  }),
  OIDC_CLIENT_SECRET: optional(textSetting(), {
    readBy: ['api'],
    absent: 'no single sign-on',
    description: 'The secret that the provider gives this installation.',
  }),
  OIDC_NAME: withDefault(
    patternSetting(/^[^\p{Cc}]{1,60}$/u, '1 to 60 characters'),
    'single sign-on',
    {
      readBy: ['api'],
      description: 'The name of the provider on the sign-in page: “Sign in with …”.',
    },
  ),
  OIDC_SCOPES: withDefault(scopesSetting(), 'openid email profile', {
    readBy: ['api'],
    description: 'What is requested from the provider. Some providers need a scope for groups.',
  }),
  OIDC_ROLE_CLAIM: optional(patternSetting(/^\S{1,200}$/, 'the name of a claim'), {
    readBy: ['api'],
    absent: 'groups give no roles',
    description:
      "The claim that lists a user's groups, such as `groups`, or a path such as `realm_access.roles`. Set together with `OIDC_ROLE_MAP`.",
  }),
  OIDC_ROLE_MAP: optional(groupRolesSetting(), {
    readBy: ['api'],
    absent: 'groups give no roles',
    description:
      '[The role that each group gives](single-sign-on.md#groups-and-roles) in a workspace, applied at each sign-in.',
  }),
  OIDC_ONLY: withDefault(booleanSetting(), 'false', {
    readBy: ['api', 'reset-password'],
    description:
      'Switches passwords off: users sign in by single sign-on only. [The operator can still let a user in](single-sign-on.md#if-the-provider-is-down).',
  }),
};

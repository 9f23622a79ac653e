import { EmailLogin, EmailSignup, LinkRequest, MagicLinkVerification, SocialSignIn } from "../auth/index.ts"
import { IntegrationChanges } from "../integrations/index.ts"
import {
  DeveloperLogin,
  DeveloperSignup,
  MemberChanges,
  NewApiKey,
  NewMember,
  NewProject,
  ProjectChanges,
} from "../projects/index.ts"
import { Email } from "../schema.ts"
import { asGiven, filledText, id, optionalRecord, orElse, record, slice } from "./rules.ts"

/** How the arguments of the use cases of developers, projects with their keys, and users who sign in are read. */
export const accountRules = {
  apiKeys: { create: [id, id, optionalRecord(NewApiKey)], list: [id, slice], revoke: [id, id, id] },
  auth: {
    anonymous: [id, orElse(null)],
    email: { login: [id, record(EmailLogin), orElse(null)], signup: [id, record(EmailSignup), orElse(null)] },
    identities: { link: [id, record(LinkRequest), orElse(null)], social: [id, record(SocialSignIn), orElse(null)] },
    magicLinks: {
      request: [id, record(Email), orElse(null)],
      verify: [id, record(MagicLinkVerification), orElse(null)],
    },
    sessions: {
      list: [id, id, id],
      logout: [id, filledText("refresh_token")],
      ofUser: [id, id],
      refresh: [id, filledText("refresh_token"), orElse(null)],
      revoke: [id, id, id],
    },
  },
  developers: {
    login: [record(DeveloperLogin)],
    logout: [filledText("refresh_token")],
    me: [id],
    refresh: [filledText("refresh_token")],
    signup: [record(DeveloperSignup)],
  },
  integrations: { list: [id, slice], put: [id, id, asGiven, record(IntegrationChanges)], remove: [id, id] },
  members: {
    create: [id, id, record(NewMember)],
    list: [id, slice],
    remove: [id, id, id],
    update: [id, id, id, record(MemberChanges)],
  },
  projects: {
    create: [id, record(NewProject)],
    get: [id],
    list: [id, slice],
    remove: [id, id],
    update: [id, id, record(ProjectChanges)],
  },
  refusals: { list: [id, slice] },
} as const

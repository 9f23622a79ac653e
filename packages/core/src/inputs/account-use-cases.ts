import { Schema } from "effect"
import { EmailLogin, EmailSignup, LinkRequest, MagicLinkVerification, SocialSignIn } from "../auth/index.ts"
import { IntegrationChanges, IntegrationProvider } from "../integrations/index.ts"
import {
  DeveloperLogin,
  DeveloperSignup,
  MemberChanges,
  NewApiKey,
  NewMember,
  NewProject,
  ProjectChanges,
} from "../projects/index.ts"
import { Email, Text } from "../schema.ts"
import { checked, filledText, id, optionalRecord, options, record, slice, textOrNull } from "./rules.ts"

const address = textOrNull("address")

/** How the arguments of the use cases of developers, projects with their keys, and users who sign in are read. */
export const accountRules = {
  apiKeys: { create: [id, id, optionalRecord(NewApiKey)], list: [id, slice], revoke: [id, id, id] },
  auth: {
    anonymous: [id, address],
    email: { login: [id, record(EmailLogin), address], signup: [id, record(EmailSignup), address] },
    identities: { link: [id, record(LinkRequest), address], social: [id, record(SocialSignIn), address] },
    magicLinks: {
      request: [id, record(Email), address],
      verify: [id, record(MagicLinkVerification), address],
    },
    sessions: {
      list: [id, id, id],
      logout: [id, filledText("refresh_token")],
      ofUser: [id, id],
      refresh: [id, filledText("refresh_token"), address],
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
  integrations: {
    list: [id, slice],
    put: [id, id, checked("provider", IntegrationProvider), record(IntegrationChanges)],
    remove: [id, id, checked("provider", IntegrationProvider)],
  },
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
  refusals: {
    list: [
      id,
      options({ limit: 50, offset: 0 }, [], {
        code: Text,
        status: Schema.Int.check(Schema.isBetween({ minimum: 400, maximum: 599 })),
      }),
    ],
  },
} as const

export { AccountLink } from "./account-link.ts"
export { AnonymousResult, makeAnonymous } from "./anonymous.ts"
export { makeAuth } from "./auth.ts"
export {
  AuthResult,
  type ClientSessions,
  makeClientSessions,
  OwnSession,
  SessionTokenPair,
  UserSession,
} from "./client-sessions.ts"
export { EmailLogin, EmailSignup, makeEmail } from "./email.ts"
export {
  AudienceNotConfigured,
  EmailExists,
  IdentityAlreadyLinked,
  InvalidCredentials,
  InvalidSession,
  MauCapExceeded,
  UnsupportedProvider,
  WeakPassword,
} from "./failures.ts"
export { LinkRequest, makeIdentities, SocialSignIn } from "./identities.ts"
export { MagicLink } from "./magic-link.ts"
export { chooseOrigin, type MagicLinkOrigins } from "./magic-link-origin.ts"
export { linkMinutes, MagicLinkRequest, MagicLinkVerification, makeMagicLinks } from "./magic-links.ts"
export { boundPassword, longestPassword, Password } from "./passwords.ts"
export type { AuthDb, MagicLinks, SessionStore, SignIns, SignUps } from "./port.ts"
export { accountLinksSection } from "./sections.ts"
export { RefreshToken, SessionFamily, spentDays } from "./session.ts"
export { makeAuthWork } from "./work.ts"

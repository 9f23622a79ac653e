import type { Dispatcher } from "../background/dispatcher.ts"
import type { BackgroundDb } from "../background/port.ts"
import type { EventsDb } from "../events/port.ts"
import type { Limits } from "../limits/limits.ts"
import type { Moderate } from "../moderation/content.ts"
import type { ModerationDb } from "../moderation/port.ts"
import type { Ports } from "../ports/ports.ts"
import type { ProjectsDb } from "../projects/port.ts"
import { makeAnonymous } from "./anonymous.ts"
import { makeClientSessions } from "./client-sessions.ts"
import { makeEmail } from "./email.ts"
import { makeIdentities } from "./identities.ts"
import type { MagicLinkOrigins } from "./magic-link-origin.ts"
import { makeMagicLinks } from "./magic-links.ts"
import type { ProofDb } from "./prove-email.ts"

/** How end users sign in, and their sessions (spec: client plane, authentication). */
export const makeAuth = (
  ports: Ports<ModerationDb & ProofDb, ProjectsDb>,
  origins: MagicLinkOrigins,
  limits: Limits,
  moderate: Moderate<ModerationDb>,
  background: Pick<Dispatcher<BackgroundDb & EventsDb & ProofDb>, "transact">,
) => {
  const sessions = makeClientSessions(ports, limits)
  return {
    anonymous: makeAnonymous(ports, sessions, limits),
    email: makeEmail(ports, sessions, limits, moderate),
    identities: makeIdentities(ports, sessions, limits),
    magicLinks: makeMagicLinks(ports, sessions, origins, limits, background),
    sessions,
  }
}

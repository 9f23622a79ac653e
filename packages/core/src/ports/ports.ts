import type { Clock } from "./clock.ts"
import type { ControlPlane } from "./control-plane.ts"
import type { IdentityVerifier } from "./identity-verifier.ts"
import type { Ids } from "./ids.ts"
import type { Mailer } from "./mailer.ts"
import type { PasswordHasher } from "./password-hasher.ts"
import type { RateLimiter } from "./rate-limiter.ts"
import type { Signals } from "./signals.ts"
import type { Tenants } from "./tenants.ts"
import type { Tokens } from "./tokens.ts"
import type { WorkflowRunner } from "./workflow-runner.ts"

/** All that the service needs from outside. Whoever brings these has the whole of it. */
export interface Ports {
  readonly clock: Clock
  readonly control: ControlPlane
  readonly identities: IdentityVerifier
  readonly ids: Ids
  readonly limiter: RateLimiter
  readonly mailer: Mailer
  readonly passwords: PasswordHasher
  readonly signals: Signals
  readonly tenants: Tenants
  readonly tokens: Tokens
  readonly workflows: WorkflowRunner
}

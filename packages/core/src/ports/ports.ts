import type { Storage } from "../media/storage.ts"
import type { Patterns } from "../moderation/patterns.ts"
import type { PushGateway } from "../push/deliveries/gateway.ts"
import type { Clock } from "./clock.ts"
import type { ControlPlane } from "./control-plane.ts"
import type { IdentityVerifier } from "./identity-verifier.ts"
import type { Ids } from "./ids.ts"
import type { Mailer } from "./mailer.ts"
import type { News } from "./news.ts"
import type { PasswordHashers } from "./password-hasher.ts"
import type { RateLimiter } from "./rate-limiter.ts"
import type { Revocations } from "./revocations.ts"
import type { SecretBox } from "./secret-box.ts"
import type { Signals } from "./signals.ts"
import type { Signatures } from "./signatures.ts"
import type { Tenants } from "./tenants.ts"
import type { Tokens } from "./tokens.ts"
import type { WorkflowRunner } from "./workflow-runner.ts"

/**
 * What features need from outside. `Db` is the part of a project's database that they use, and `Control` that of the control
 * database. Both are empty by default.
 */
export interface Ports<Db = unknown, Control = unknown> {
  readonly clock: Clock
  readonly control: ControlPlane<Control>
  readonly identities: IdentityVerifier
  readonly ids: Ids
  readonly limiter: RateLimiter
  readonly mailer: Mailer
  readonly news: News
  readonly passwords: PasswordHashers
  readonly patterns: Patterns
  readonly push: PushGateway
  readonly revocations: Revocations
  readonly secrets: SecretBox
  readonly signals: Signals
  readonly signatures: Signatures
  readonly storage: Storage
  readonly tenants: Tenants<Db>
  readonly tokens: Tokens
  readonly workflows: WorkflowRunner
}

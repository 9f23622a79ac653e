export type { Clock } from "./clock.ts"
export type { ControlPlane } from "./control-plane.ts"
export type { Identity, IdentityDemand, IdentityProvider, IdentityVerifier } from "./identity-verifier.ts"
export type { Ids } from "./ids.ts"
export { type Mail, type Mailer, MailNotSent } from "./mailer.ts"
export type { News } from "./news.ts"
export { HashingBusy, type PasswordHasher, type PasswordHashers } from "./password-hasher.ts"
export type { RateClaim, RateDecision, RateLimit, RateLimiter, Reservation } from "./rate-limiter.ts"
export type { RevocationSubscriber, Revocations } from "./revocations.ts"
export type { SecretBox } from "./secret-box.ts"
export type { Signal, Signals } from "./signals.ts"
export type { KeyAlgorithm, Signatures } from "./signatures.ts"
export {
  Duplicate,
  maxPageBytes,
  type Order,
  type Page,
  type RowLock,
  type Slice,
  type SliceRows,
  type Table,
  type Where,
} from "./table.ts"
export type { FaultKind, Locks, Tenants, TransactionOptions } from "./tenants.ts"
export { refuseToken, type TokenFault } from "./token-refusal.ts"
export type { TokenClaims, TokenKind, Tokens, VerifiedClaims } from "./tokens.ts"
export { type AnyWorkflow, QueueUnavailable, type Workflow, type WorkflowRunner } from "./workflow-runner.ts"

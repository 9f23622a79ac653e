import type {
  Clock,
  ControlDb,
  ControlPlane,
  IdentityVerifier,
  Ids,
  Mailer,
  PasswordHashers,
  RateLimiter,
  SecretBox,
  Signals,
  Signatures,
  TenantDb,
  Tenants,
  Tokens,
  WorkflowRunner,
} from "@hearth/core"
import type { Patterns } from "@hearth/core/moderation"
import type { ServiceIdentifier } from "inversify"
import type { OpenRateLimiter } from "../limits/index.ts"
import type { OpenMail } from "../mail/index.ts"
import type { OpenStorage } from "../media/index.ts"
import type { Postgres } from "../postgres/index.ts"
import type { OpenPush } from "../push/index.ts"
import type { OpenQueue } from "../queue/index.ts"
import type { Log } from "../system/log.ts"

const service = <T>(name: string): ServiceIdentifier<T> => Symbol.for(`hearth/${name}`) as ServiceIdentifier<T>

/** What the composition roots of server and worker get from a container. Nothing here depends on a project. */
export const Services = {
  Log: service<Log>("Log"),
  Clock: service<Clock>("Clock"),
  Ids: service<Ids>("Ids"),
  Signals: service<Signals>("Signals"),
  Postgres: service<Postgres>("Postgres"),
  Control: service<ControlPlane<ControlDb>>("Control"),
  Tenants: service<Tenants<TenantDb>>("Tenants"),
  Queue: service<OpenQueue>("Queue"),
  Workflows: service<WorkflowRunner>("Workflows"),
  Tokens: service<Tokens>("Tokens"),
  Identities: service<IdentityVerifier>("Identities"),
  Passwords: service<PasswordHashers>("Passwords"),
  Patterns: service<Patterns>("Patterns"),
  Secrets: service<SecretBox>("Secrets"),
  Signatures: service<Signatures>("Signatures"),
  Limits: service<OpenRateLimiter>("Limits"),
  RateLimiter: service<RateLimiter>("RateLimiter"),
  Mail: service<OpenMail>("Mail"),
  Mailer: service<Mailer>("Mailer"),
  Push: service<OpenPush>("Push"),
  Storage: service<OpenStorage>("Storage"),
}

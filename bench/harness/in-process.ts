import {
  aesSecretBox,
  generateSecretKey,
  generateTokenKeys,
  identityProviders,
  joseIdentityVerifier,
  joseTokens,
  loadSecretKeys,
  loadTokenKeys,
  localRateLimiter,
  nativePasswordHashers,
  nodeSignatures,
  openPostgres,
  openPush,
  openStorage,
  outboxMailer,
  re2Patterns,
  startEmbeddedDatabase,
  systemClock,
  systemIds,
} from "@hearth/adapters"
import { type Clock, createEngagement, type WorkflowRunner } from "@hearth/core"
import { defaultLimits } from "@hearth/core/limits"
import { Effect } from "effect"
import { emptyDataDir, removeDataDir } from "./service.ts"

/** A queue that does nothing: what is measured here is called directly. */
const noQueue: WorkflowRunner = {
  start: () => Effect.void,
  terminate: () => Effect.void,
  schedule: () => Effect.void,
  unschedule: () => Effect.void,
  backlog: () => Effect.succeed({ waiting: 0, oldest_seconds: 0 }),
}

/** The core on the embedded database, in this process, at the time of `clock`. */
export const openInProcess = async (clock: Clock = systemClock) => {
  const dataDir = emptyDataDir()
  const embedded = await startEmbeddedDatabase({ dataDir })
  const ids = systemIds(clock)
  const postgres = await Effect.runPromise(openPostgres({ databaseUrl: embedded.url, clock, idleMillis: 2_000 }))
  const keys = await Effect.runPromise(loadTokenKeys(generateTokenKeys()))
  const tokens = joseTokens({ clock, keys, issuer: "bench" })
  const signals = { emit: () => {} }
  const ports = {
    clock,
    control: postgres.control,
    identities: joseIdentityVerifier({ clock, providers: identityProviders }),
    ids,
    limiter: localRateLimiter(),
    mailer: outboxMailer({ clock }),
    news: postgres.news,
    passwords: nativePasswordHashers(),
    patterns: re2Patterns(signals),
    push: openPush({ addresses: { push_a: null, push_b: null }, development: true }, { clock, signals }).gateway,
    revocations: postgres.revocations,
    secrets: aesSecretBox(Effect.runSync(loadSecretKeys(generateSecretKey()))),
    signals,
    signatures: nodeSignatures,
    storage: (await openStorage({ url: null, dataDir, servesFiles: true, isOnlyProcess: true }, () => {})).storage,
    tenants: postgres.tenants,
    tokens,
    workflows: noQueue,
  }
  // Figures with hundreds of projects have one developer for all of them.
  const limits = { ...defaultLimits, project_creation: [], webhooks: [{ points: 100_000_000, seconds: 3_600 }] }
  const core = createEngagement(ports, { limits })
  const signup = { email: `${ids.uuid()}@example.com`, password: "a long password" }
  const { developer } = await Effect.runPromise(core.developers.signup(signup))
  const newProject = (name: string) =>
    Effect.runPromise(
      core.projects.create(developer.id, {
        name,
        bundle_id: null,
        oauth_client_id: null,
        allowed_origins: [],
        mau_cap: null,
      }),
    )
  return {
    core,
    dataDir,
    ids,
    newProject,
    ownerId: developer.id,
    postgres,
    close: async () => {
      await Effect.runPromise(postgres.close())
      await embedded.stop()
      removeDataDir(dataDir)
    },
  }
}

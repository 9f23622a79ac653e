import { loadSecretKeys, loadTokenKeys } from "@hearth/adapters"
import type { Engagement } from "@hearth/core"
import { databaseUrl } from "@hearth/test-services"
import { Effect, Result } from "effect"
import { Registry } from "prom-client"
import { composeServer } from "../../src/compose.ts"
import { readServerConfig } from "../../src/config.ts"
import { createApp } from "../../src/http/app.ts"
import { routeGroups } from "../../src/routes/index.ts"
import { makeFolder, removeFolder } from "../harness/data-dir.ts"
import { someJwtKeys, someSecretsKey } from "../harness/harness.ts"

/** A service in this process, on the PostgreSQL of the test run: all parts of a server process, without a port. */
export interface RealService {
  readonly fetch: (request: Request) => Response | Promise<Response>
  readonly core: Engagement
  /** The name of its control database. */
  readonly controlDatabase: string
  /** How many calls of use cases routes have made. */
  readonly effects: () => number
  /** What was mailed, the newest first. */
  readonly mails: () => ReadonlyArray<{ readonly text: string }>
  /** Everything that was logged, as text. */
  readonly logged: () => string
  close(): Promise<void>
}

/** The core, with every call of a use case counted. */
const countCalls = (core: Engagement, count: () => void): Engagement => {
  const wrap = <T extends object>(feature: T): T =>
    new Proxy(feature, {
      get: (target, name) => {
        const found: unknown = Reflect.get(target, name)
        if (typeof found === "object" && found !== null) return wrap(found)
        if (typeof found !== "function") return found
        return (...given: ReadonlyArray<unknown>) => {
          count()
          return found(...given)
        }
      },
    })
  const features = Object.entries<object>({ ...core }).map(([name, feature]) => [name, wrap(feature)])
  return Object.fromEntries(features) as Engagement
}

/** Opens the service with all of its routes. Its limiter allows every call. */
export const openRealService = async (environment: Readonly<Record<string, string>> = {}): Promise<RealService> => {
  const dataDir = makeFolder()
  const read = readServerConfig({
    DATA_DIR: dataDir,
    ...{ DATABASE_URL: databaseUrl(), JWT_KEYS: someJwtKeys(), SECRETS_KEY: someSecretsKey() },
    ...environment,
  })
  if (Result.isFailure(read)) throw new Error(read.failure.join("\n"))
  const config = read.success
  const lines: Array<string> = []
  const log = (...line: ReadonlyArray<unknown>) => void lines.push(JSON.stringify(line))
  const keys = await Effect.runPromise(
    Effect.all({ tokens: loadTokenKeys(config.jwtKeys ?? ""), secrets: loadSecretKeys(config.secretKeys ?? "") }),
  )
  const parts = await composeServer(config, databaseUrl(), keys, log, { emit: (signal) => log(signal) })
  let calls = 0
  const app = createApp({
    groups: routeGroups,
    core: countCalls(parts.core, () => {
      calls += 1
    }),
    access: parts.core.access,
    limiter: { consume: () => Effect.succeed({ allowed: true, limit: 1, remaining: 1, reset_seconds: 1 }) },
    log,
    registry: new Registry(),
    files: parts.core.media.files,
    databases: { controlAnswers: Effect.succeed(true), isTimeout: () => false },
    trustProxy: false,
    noteRefused: parts.core.refusals.note,
    makeRequestId: () => parts.ids.uuid(),
    checks: [],
    keySet: () => parts.tokens.keySet(),
    version: "0.0.0",
  })
  return {
    fetch: app.fetch,
    core: parts.core,
    controlDatabase: new URL(parts.postgres.controlUrl).pathname.slice(1),
    effects: () => calls,
    mails: () => parts.mail.outbox?.() ?? [],
    logged: () => lines.join("\n"),
    close: async () => {
      await parts.close()
      await removeFolder(dataDir)
    },
  }
}

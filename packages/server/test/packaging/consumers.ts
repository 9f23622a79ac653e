/**
 * Programs of users of the packages, for a compiler in strict mode. What is expected to be an error shows that the types of a package
 * are found, and are not `any`.
 */
export const consumers: Readonly<Record<string, string>> = {
  core: `
import { type Clock, type Engagement, NotFound } from "@hearth/core"
import type { StreakDefinition } from "@hearth/core/streaks"

export const clock: Clock = { now: () => new Date(0) }
export const name = (definition: StreakDefinition): string => definition.name
export const tag: "NotFound" = new NotFound()._tag
export const removeStreak = (core: Engagement) => core.streaks.remove("project", "streak")
// @ts-expect-error
export const wrong = (core: Engagement) => core.streaks.remove(1)
`,
  testing: `
import { testWorld } from "@hearth/testing"
import { idsContract } from "@hearth/testing/contracts"

const { core, run } = testWorld({ startAt: "2026-03-01T12:00:00Z" })
export const names: ReadonlyArray<string> = (await run(core.streaks.list("project", {}))).rows.map(({ name }) => name)
// @ts-expect-error
idsContract(1)
`,
  adapters: `
import { createPostgresEngagement } from "@hearth/adapters"
import type { Mailer } from "@hearth/core"
import { Effect } from "effect"

const mailer: Mailer = { send: () => Effect.void }
const smtpUrl = process.env["SMTP_URL"]
const options = { databaseUrl: "postgres://127.0.0.1/hearth", smtpUrl, ports: { mailer } }
const { core, run, close } = await createPostgresEngagement(options)
export const { id } = await run(core.projects.create("developer", { name: "My app" }))
await close()
// @ts-expect-error
await createPostgresEngagement({ databaseUrl: 1 })
`,
  worker: `
import { checkReadiness, stopMillis, work } from "@hearth/worker"

export const millis: number = stopMillis
export const ready = checkReadiness([])
await work(new AbortController().signal)
// @ts-expect-error
await work()
`,
  server: `
import { type RunningServer, readServerConfig, startServer, version } from "@hearth/server"
import { Result } from "effect"

const config = readServerConfig({ PORT: "0" })
export const start = async (): Promise<RunningServer | string> =>
  Result.isFailure(config)
    ? config.failure.join()
    : startServer(config.success, () => {})
export const release: string = version
// @ts-expect-error
readServerConfig({ PORT: 0 })
`,
  client: `
import { createAdminClient, createClient, HearthError, memoryStorage } from "@hearth/client"

const hearth = createClient({ url: "http://127.0.0.1:8080", apiKey: "pk_", storage: memoryStorage() })
await hearth.signInAnonymously()
hearth.track("lesson_completed", { score: 87 })
const { data } = await hearth.api.GET("/client/streaks")
export const counts: ReadonlyArray<number> = data.map(({ current_count }) => current_count)
const { api } = createAdminClient({ url: "http://127.0.0.1:8080", token: "token" })
export const projects = (await api.GET("/admin/projects")).data.map(({ name }) => name)
export const isUnknown = (error: unknown): boolean => error instanceof HearthError && error.code === "NOT_FOUND"
// @ts-expect-error
await hearth.api.GET("/client/no-such-path")
// @ts-expect-error
createClient({ url: "http://127.0.0.1:8080" })
`,
}

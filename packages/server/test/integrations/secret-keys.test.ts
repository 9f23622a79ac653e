import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aProject, type TestProject } from "../harness/fixtures.ts"
import { makeHarness, someSecretsKey } from "../harness/harness.ts"
import { integrationConfigs } from "../harness/integrations.ts"

const configs = Object.entries(integrationConfigs())
type Environment = Readonly<Record<string, string>>

// One installation whose key is lost, forgotten and rotated.
describe("the keys of secrets, from the outside [H1.2]", { shuffle: false }, () => {
  const harness = makeHarness()
  const [old, key] = [someSecretsKey(), someSecretsKey()]
  let environment: Environment
  let project: TestProject

  /** Serves calls with these keys, and stops. */
  const serve = async <A>(
    SECRETS_KEY: string,
    work: (call: Awaited<ReturnType<typeof harness.server>>) => Promise<A>,
  ) => {
    const server = await harness.server({ ...environment, SECRETS_KEY, LOG_LEVEL: "info" })
    const answer = await work(server)
    await server.end("SIGTERM")
    return { answer, log: server.output() + server.errors() }
  }
  const refusedStart = async (script: "server" | "worker", more: Environment) => {
    const process = harness.launch(script, { environment: { PORT: "0", ...environment, ...more } })
    expect(await process.ended, process.errors()).toEqual({ code: 1, signal: null })
    expect(process.output().match(/Hearth is running|worker started/)).toBeNull()
    return process.errors()
  }
  const list = (server: Awaited<ReturnType<typeof harness.server>>) =>
    server.api.ok<ReadonlyArray<{ has_secret: boolean }>>("GET", `${project.admin}/integrations`, project.owner.as)

  beforeAll(async () => {
    environment = (await harness.database()).environment
    await serve(old, async (server) => {
      project = await aProject(server.api)
      for (const [provider, config] of configs) {
        await server.api.ok("PUT", `${project.admin}/integrations/${provider}`, project.owner.as, { config })
      }
    })
  })
  afterAll(harness.clear)

  it("end the start in one sentence where one is lost: what needs it, and what to do", async () => {
    for (const script of ["server", "worker"] as const) {
      const said = await refusedStart(script, { SECRETS_KEY: key })
      expect(said).toMatch(
        /^The secrets .*4 integrations of 1 project need the key [0-9a-f]{12}, not in SECRETS_KEY: .*SECRETS_KEY_LOST=forget.*\.\n$/,
      )
      expect(said).not.toContain(old)
      expect(said).not.toContain(key)
    }
  })

  it("may be forgotten: those integrations have no secret until it is set again", async () => {
    const started = await harness.server({ ...environment, SECRETS_KEY: key, SECRETS_KEY_LOST: "forget" })
    expect((await list(started)).map(({ has_secret }) => has_secret)).toEqual([false, false, false, false])
    expect(started.output() + started.errors()).toMatch(/have no secret until it is set again/)
    await started.end("SIGTERM")
    const worker = await harness.worker({ ...environment, SECRETS_KEY: key, SECRETS_KEY_LOST: "forget" })
    await worker.end("SIGTERM")
    // Nothing is lost by that: the key may come back.
    const { answer } = await serve(old, list)
    expect(answer.map(({ has_secret }) => has_secret)).toEqual([true, true, true, true])
  })

  it("are rotated by a new one in front; the log says when the old one is needed no more", async () => {
    const behind = await serve(`${old},${key}`, list)
    expect(behind.log).toMatch(/nothing is encrypted with the keys behind the first in SECRETS_KEY/)
    expect(behind.log).not.toMatch(/needed no more/)
    const rotated = await serve(`${key},${old}`, list)
    expect(rotated.answer.every(({ has_secret }) => has_secret)).toBe(true)
    expect(rotated.log).toMatch(/older keys in SECRETS_KEY are needed no more/)
    const { answer, log } = await serve(key, list)
    expect(answer.every(({ has_secret }) => has_secret)).toBe(true)
    expect(log).not.toMatch(/older keys/)
    expect(await refusedStart("server", { SECRETS_KEY: old })).toMatch(/4 integrations of 1 project/)
    for (const text of [behind.log, rotated.log, log])
      for (const secret of [old, key]) expect(text).not.toContain(secret)
  })

  it("are kept in the data folder of an embedded service, and asked for when the file is gone", async () => {
    const dataDir = harness.folder()
    const file = join(dataDir, "secrets-key")
    const first = await harness.server({ DATA_DIR: dataDir })
    const own = await aProject(first.api)
    const path = `${own.admin}/integrations/paywall`
    await first.api.ok("PUT", path, own.owner.as, { config: { webhook_secret: "a paywall secret" } })
    await first.end("SIGTERM")
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const kept = readFileSync(file, "utf8")

    rmSync(file)
    const lost = harness.launch("server", { environment: { PORT: "0", DATA_DIR: dataDir } })
    expect(await lost.ended).toEqual({ code: 1, signal: null })
    expect(lost.errors().trim().split("\n")).toHaveLength(1)
    expect(lost.errors()).toContain(`1 integration of 1 project needs the key`)
    expect(lost.errors()).toContain(file)

    mkdirSync(dataDir, { recursive: true })
    writeFileSync(file, `${readFileSync(file, "utf8")}${kept}`)
    const again = await harness.server({ DATA_DIR: dataDir })
    const listed = await again.api.ok("GET", `${own.admin}/integrations`, own.owner.as)
    expect(listed).toMatchObject([{ provider: "paywall", has_secret: true }])
  })
})

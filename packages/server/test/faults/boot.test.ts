import { chmodSync, existsSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { isAlive, mayReach } from "@hearth/test-services"
import { afterAll, describe, expect, it } from "vitest"
import { startPooler } from "../../../adapters/test/postgres/fake-pooler.ts"
import { postmasterOf } from "../harness/data-dir.ts"
import { aProject } from "../harness/fixtures.ts"
import { makeHarness, someJwtKeys, someSecretsKey } from "../harness/harness.ts"

/** The account that a test run by root starts a process with. */
const ordinary = { uid: 65534, gid: 65534 }
const isRoot = process.getuid?.() === 0
const asOrdinary = isRoot ? ordinary : {}
const canBeOrdinary = !isRoot || mayReach(ordinary, import.meta.dirname)

describe("a server that cannot start", () => {
  const harness = makeHarness()
  afterAll(harness.clear)

  /** Starts a server that cannot start, and answers what it wrote to its standard error. */
  const readStartError = async (
    environment: Readonly<Record<string, string>>,
    account: { readonly uid?: number; readonly gid?: number } = {},
  ): Promise<string> => {
    const server = harness.launch("server", { environment: { PORT: "0", ...environment }, ...account })
    expect(await server.ended, server.errors()).toEqual({ code: 1, signal: null })
    expect(server.output()).toBe("")
    return server.errors()
  }

  it("names the process that has the data folder, or the port that is taken, and does not harm that process", async () => {
    const [dataDir, another] = [harness.folder(), harness.folder()]
    const first = await harness.server({ DATA_DIR: dataDir })
    const { port } = new URL(first.url)
    expect(
      await Promise.all([readStartError({ DATA_DIR: dataDir }), readStartError({ DATA_DIR: another, PORT: port })]),
    ).toEqual([
      `The data folder ${dataDir} is in use by another Hearth process (pid ${first.pid}); stop it, or set DATA_DIR to another folder.\n`,
      `Cannot listen on 127.0.0.1:${port}: another process listens there.\n`,
    ])
    const postmaster = postmasterOf(another)
    expect(postmaster === null || !isAlive(postmaster)).toBe(true)

    await aProject(first.api)
    expect(await first.end("SIGTERM")).toEqual({ code: 0, signal: null })
    expect(first.errors()).toBe("")
    const next = await Promise.all([dataDir, another].map((folder) => harness.server({ DATA_DIR: folder })))
    await Promise.all(next.map((server) => server.end("SIGTERM")))
  })

  it("says that the data folder is a file", async () => {
    const file = join(harness.folder(), "file")
    writeFileSync(file, "")
    expect(await readStartError({ DATA_DIR: file })).toBe(
      `The data folder ${file} is not a folder; set DATA_DIR to one that is, or that can be made.\n`,
    )
  })

  it.skipIf(!canBeOrdinary)("says that the data folder cannot be written, and puts nothing there", async () => {
    const dataDir = harness.folder()
    chmodSync(dataDir, 0o555)
    const message = await readStartError({ DATA_DIR: dataDir }, asOrdinary)
    expect(message).toMatch(
      /^The data folder \S+ cannot be written by this user \(uid \d+\): .*; let it, or set DATA_DIR to another folder\.\n$/,
    )
    expect(readdirSync(dataDir)).toEqual([])
    const below = join(dataDir, "data")
    expect(await readStartError({ DATA_DIR: below }, asOrdinary)).toMatch(
      /^The data folder \S+ cannot be written by this user/,
    )
    expect(existsSync(below)).toBe(false)
  })

  it("says that the database does not answer", async () => {
    const message = await readStartError({
      DATABASE_URL: "postgres://nobody@127.0.0.1:1/none",
      JWT_KEYS: someJwtKeys(),
      SECRETS_KEY: someSecretsKey(),
    })
    expect(message.trim().split("\n")).toHaveLength(1)
    expect(message).toMatch(/cannot be reached.*ECONNREFUSED/)
  })

  it.each(["server", "worker"] as const)(
    "says that the database is behind a pooler in transaction mode: %s",
    async (script) => {
      const { environment } = await harness.database()
      const pooler = await startPooler(environment["DATABASE_URL"] ?? "", { mode: "transaction", size: 20 })
      try {
        const process = harness.launch(script, { environment: { PORT: "0", ...environment, DATABASE_URL: pooler.url } })
        expect(await process.ended, process.errors()).toEqual({ code: 1, signal: null })
        expect(process.output()).toBe("")
        expect(process.errors()).toMatch(/^DATABASE_URL leads through a pooler in transaction .* session mode\.\n$/)
      } finally {
        await pooler.close()
      }
    },
  )

  it("prints every problem of the environment at once", async () => {
    const dataDir = harness.folder()
    const message = await readStartError({
      DATA_DIR: dataDir,
      PORT: "http",
      REDIS_URL: "127.0.0.1:6379",
      DATABASE_URL: "mysql://canary-user:canary-password@127.0.0.1/db",
      JWT_KEYS: '{"keys":[{"kty":"RSA","d":"a-canary-of-a-secret"}]}',
      LOG_LEVEL: "loud",
      TRUST_PROXY: "everybody",
      PASSWORD_HASH: "md5",
      SESSION_TOKEN_LIFETIME: "soon",
      SECRETS_KEY: `${someSecretsKey()},a-canary-of-a-secret`,
      SECRETS_KEY_LOST: "no",
    })
    const names = [
      "PORT",
      "DATABASE_URL",
      "JWT_KEYS",
      "REDIS_URL",
      "LOG_LEVEL",
      "TRUST_PROXY",
      "PASSWORD_HASH",
      "SESSION_TOKEN_LIFETIME",
      "SECRETS_KEY",
      "SECRETS_KEY_LOST",
    ]
    expect(
      message
        .trim()
        .split("\n")
        .map((line) => /^(\w+): .+\.$/.exec(line)?.[1])
        .sort(),
    ).toEqual(names.sort())
    expect(message).toMatch(/^SECRETS_KEY: .* key 2 is none; what was given, \d+ characters, is not shown\.$/m)
    expect(message).toMatch(/^PORT: must be a port, 0 to 65535; it is "http"\.$/m)
    expect(message).toMatch(/^DATABASE_URL: must be .*; it is "mysql:\/\/canary-user:\*\*\*@127\.0\.0\.1\/db"\.$/m)
    expect(message).not.toMatch(/a-canary|canary-password/)
    expect(readdirSync(dataDir)).toEqual([])
    expect(await readStartError({ DATABASE_URL: "postgres://127.0.0.1/db" })).toMatch(
      /^JWT_KEYS: needed with DATABASE_URL.*\nSECRETS_KEY: needed with DATABASE_URL.*\n$/,
    )
  })

  it("prints the problems of a worker, too", async () => {
    const worker = harness.launch("worker", { environment: { WORKER_PORT: "99999", REDIS_URL: "nowhere" } })
    expect(await worker.ended).toEqual({ code: 1, signal: null })
    expect(worker.errors()).toMatch(/^WORKER_PORT: /m)
    expect(worker.errors()).toMatch(/^REDIS_URL: /m)
    const alone = harness.launch("worker")
    expect(await alone.ended).toEqual({ code: 1, signal: null })
    expect(alone.errors()).toMatch(
      /^DATABASE_URL: a worker needs the database of its server\..*\nSECRETS_KEY: a worker needs the keys of its server.*\n$/,
    )
  })
})

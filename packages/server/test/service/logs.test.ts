import { afterAll, describe, expect, it } from "vitest"
import { postmasterOf } from "../harness/data-dir.ts"
import { makeHarness } from "../harness/harness.ts"

const readLines = (text: string): ReadonlyArray<Record<string, unknown>> =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))

describe("the log", () => {
  const harness = makeHarness()
  afterAll(harness.clear)

  it("says what server and worker are connected to, and when they start and stop, without a credential", async () => {
    const { environment } = await harness.database()
    const storage = "s3://a-canary:of-a-secret@bucket/files?region=eu-central-1&endpoint=http://127.0.0.1:9"
    const settings = {
      ...environment,
      ...{ LOG_LEVEL: "debug", STORAGE_URL: storage, SMTP_URL: "smtp://user:a-canary@127.0.0.1:9" },
    }
    const server = await harness.server(settings)
    const worker = await harness.worker({ ...settings, HOST: "127.0.0.2", WORKER_PORT: "0" })
    expect((await server.api.root("/health/live")).status).toBe(200)
    const [, operators = ""] = await worker.says(/"operators":"(http:\/\/127\.0\.0\.2:\d+)"/)
    expect((await fetch(`${operators}/health/live`)).status).toBe(200)
    await Promise.all([server.end("SIGTERM"), worker.end("SIGHUP")])

    const { host, pathname } = new URL(environment["DATABASE_URL"] ?? "")
    const connected = {
      ...{ version: expect.stringMatching(/^\d+\.\d+\.\d+/), pid: expect.any(Number), ms: expect.any(Number) },
      ...{ database: `postgres://${host}${pathname === "/" ? "" : pathname}`, queue: "in the database" },
      files: "s3://bucket/files",
    }
    const lives = [
      ["server", server, { url: server.url, mail: "127.0.0.1:9" }, "SIGTERM"],
      ["worker", worker, { operators }, "SIGHUP"],
    ] as const
    for (const [name, process, facts, signal] of lives) {
      const lines = readLines(process.errors()).filter(({ message }) => String(message).startsWith(`${name} `))
      expect(lines).toMatchObject([
        { level: "debug", message: `${name} starting` },
        { level: "info", message: `${name} started`, ...connected, ...facts },
        { level: "info", message: `${name} stopping`, signal },
        { level: "info", message: `${name} stopped`, ms: expect.any(Number) },
      ])
      expect(process.errors()).not.toMatch(/canary|of-a-secret/)
    }
    expect(readLines(server.errors())).toContainEqual(
      expect.objectContaining({ level: "debug", path: "/health/live", status: 200 }),
    )
  })

  it("says in a line like all others that the embedded PostgreSQL was started again", async () => {
    const dataDir = harness.folder()
    const server = await harness.server({ DATA_DIR: dataDir })
    process.kill(postmasterOf(dataDir) ?? 0, "SIGQUIT")
    await server.says(/was started again \(pid \d+\)/)
    await server.end("SIGTERM")
    expect(readLines(server.errors())).toContainEqual({
      ...{ time: expect.any(String), level: "warn" },
      message: expect.stringMatching(/^PostgreSQL \(pid \d+\) ended unexpectedly and was started again \(pid \d+\)\.$/),
    })
  })
})

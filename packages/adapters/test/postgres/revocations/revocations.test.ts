import type { ControlDb } from "@hearth/core"
import { aDeveloper, aMember, anApiKey, aProject } from "@hearth/testing"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Postgres } from "../../../src/postgres/index.ts"
import { readPayload, writePayloads } from "../../../src/postgres/revocations/payloads.ts"
import { ids, type TestServer, testServer } from "../server.ts"
import { startTcpProxy } from "../tcp-proxy.ts"
import { terminateListeners } from "./listeners.ts"

const aSecond = { timeout: 3_000, interval: 10 }

/** The ids that a process hears of, and how often it forgot everything. */
const listen = ({ revocations }: Postgres) => {
  const heard: Array<string> = []
  const counts = { forgotAll: 0 }
  revocations.subscribe({
    forget: (revoked) => void heard.push(...revoked),
    forgetAll: () => {
      counts.forgotAll += 1
    },
  })
  return { heard, counts }
}

describe("what is written in the control database", () => {
  let server: TestServer
  let writer: Postgres
  let reader: Postgres
  beforeAll(async () => {
    server = testServer()
    // The writer announces nothing: like a process that dies after its commit.
    writer = await server.open({ listens: false })
    reader = await server.open()
  })
  afterAll(() => server.close())

  const write = <A, E>(work: (db: ControlDb) => Effect.Effect<A, E>) => Effect.runPromise(writer.control.transact(work))

  /** A project with a member and a key. */
  const someRows = async () => {
    const project = aProject({ id: ids.uuid() })
    const developer = aDeveloper({ id: ids.uuid(), email: `${ids.uuid()}@example.com` })
    const of = { id: ids.uuid(), project_id: project.id }
    const member = aMember({ ...of, developer_id: developer.id })
    const key = anApiKey({ ...of, key: `pk_${ids.base62(32)}` })
    await write((db) =>
      Effect.gen(function* () {
        yield* db.projects.insert(project)
        yield* db.developers.insert(developer)
        yield* db.members.insert(member)
        yield* db.apiKeys.insert(key)
        yield* db.linkDomains.insert({ id: project.id, domain: `${project.id}.example` })
      }),
    )
    return { project, developer, member, key }
  }
  type Rows = Awaited<ReturnType<typeof someRows>>

  const changes: ReadonlyArray<
    readonly [string, (rows: Rows) => string, (db: ControlDb, rows: Rows) => Effect.Effect<unknown, unknown>]
  > = [
    ["a role", ({ developer }) => developer.id, (db, { member }) => db.members.update(member.id, { role: "viewer" })],
    ["a removed member", ({ developer }) => developer.id, (db, { member }) => db.members.remove({ id: member.id })],
    [
      "a removed developer",
      ({ developer }) => developer.id,
      (db, { developer: { id } }) => db.developers.remove({ id }),
    ],
    ["a removed key", ({ project }) => project.id, (db, { key }) => db.apiKeys.remove({ id: key.id })],
    [
      "a hidden project",
      ({ project }) => project.id,
      (db, { project: { id } }) => db.projects.update(id, { is_ready: false }),
    ],
    ["a removed project", ({ project }) => project.id, (db, { project: { id } }) => db.projects.remove({ id })],
    [
      "a link domain",
      ({ project }) => project.id,
      (db, { project: { id } }) => db.linkDomains.update(id, { domain: `x.${id}.example` }),
    ],
  ]

  it.each(changes)("is heard in other processes within a second of its commit: %s", async (_, idIn, change) => {
    const rows = await someRows()
    const { heard } = listen(reader)
    await write((db) => change(db, rows))
    await expect.poll(() => heard, aSecond).toContain(idIn(rows))
  })

  it.each(changes)("is not heard when it was rolled back: %s", async (_, idIn, change) => {
    const rows = await someRows()
    const { heard } = listen(reader)
    await Effect.runPromiseExit(
      writer.control.transact((db) => Effect.andThen(change(db, rows), Effect.fail("rolled back"))),
    )
    // A later change is heard, so an earlier one would have been.
    const later = await someRows()
    await write((db) => db.projects.remove({ id: later.project.id }))
    await expect.poll(() => heard, aSecond).toContain(later.project.id)
    expect(heard).not.toContain(idIn(rows))
  })

  it("is not heard where it takes no right away: a new name of a project", async () => {
    const { project } = await someRows()
    const { heard } = listen(reader)
    await write((db) => db.projects.update(project.id, { name: "Renamed" }))
    const later = await someRows()
    await write((db) => db.projects.remove({ id: later.project.id }))
    await expect.poll(() => heard, aSecond).toContain(later.project.id)
    expect(heard).not.toContain(project.id)
  })
})

describe("a process that listens", () => {
  let server: TestServer
  beforeAll(() => {
    server = testServer()
  })
  afterAll(() => server.close())

  it("tells what it was asked to even when it closes at once", async () => {
    const [one, other] = [await server.open(), await server.open()]
    const { heard } = listen(other)
    const id = ids.uuid()
    await Effect.runPromise(one.revocations.announce([id]))
    await Effect.runPromise(one.close())
    await expect.poll(() => heard, aSecond).toContain(id)
  })

  it("tells through the pool when it does not listen itself", async () => {
    const [one, other] = [await server.open({ listens: false }), await server.open()]
    expect(one.revocations.isHearing()).toBe(false)
    const { heard } = listen(other)
    const id = ids.uuid()
    await Effect.runPromise(one.revocations.announce([id]))
    await expect.poll(() => heard, aSecond).toContain(id)
  })

  it("does not take its connection from the pool", async () => {
    const one = await server.open({ controlConnections: 1 })
    const { heard } = listen(one)
    const id = ids.uuid()
    const other = await server.open()
    await Effect.runPromise(
      one.control.transact((db) =>
        Effect.gen(function* () {
          // The only connection of the pool is in this transaction.
          yield* db.projects.list({}, [])
          yield* other.revocations.announce([id])
          yield* Effect.promise(() => expect.poll(() => heard, aSecond).toContain(id))
        }),
      ),
    )
  })

  it("is deaf when its connection was ended, warns, connects again and forgets everything", async () => {
    const warnings: Array<string> = []
    const one = await server.open({ onWarning: (message) => void warnings.push(message) })
    const { heard, counts } = listen(one)
    const before = counts.forgotAll
    expect(await terminateListeners(server)).toBeGreaterThan(0)
    await expect.poll(() => counts.forgotAll, { interval: 5 }).toBe(before + 1)
    expect(warnings).toEqual(["What other processes revoke is not heard."])
    expect(one.revocations.isHearing()).toBe(true)
    const id = ids.uuid()
    const other = await server.open()
    await Effect.runPromise(other.revocations.announce([id]))
    await expect.poll(() => heard, aSecond).toContain(id)
  })

  it("is deaf when it does not hear its own ping although it is connected", async () => {
    const warnings: Array<unknown> = []
    const proxy = await startTcpProxy(server.urlOf("postgres"))
    const onWarning = (_: string, cause: unknown) => void warnings.push(cause)
    const one = await server.open({ databaseUrl: proxy.url, listenerPingMillis: 50, onWarning })
    const { counts } = listen(one)
    proxy.silence(true)
    await expect.poll(one.revocations.isHearing).toBe(false)
    expect(String(warnings[0])).toContain("did not hear its own notification")
    proxy.silence(false)
    await expect.poll(one.revocations.isHearing).toBe(true)
    expect(counts.forgotAll).toBe(1)
    await Effect.runPromise(one.close())
    await proxy.close()
  })

  it("forgets everything at a notification of a later release", async () => {
    const one = await server.open()
    const { counts } = listen(one)
    await server.rows(server.controlDatabase, "select pg_notify('hearth_revocations', 'v2:something')")
    await expect.poll(() => counts.forgotAll, aSecond).toBe(1)
  })
})

describe("notifications", () => {
  it("stay below 8,000 bytes each, and lose no id", () => {
    const many = Array.from({ length: 1_001 }, () => ids.uuid())
    const payloads = writePayloads([...many, "no uuid"])
    expect(Math.max(...payloads.map((payload) => Buffer.byteLength(payload)))).toBeLessThan(8_000)
    const read = payloads.map(readPayload).flatMap((heard) => (heard.kind === "revoked" ? heard.ids : []))
    expect(read).toEqual(many)
  })

  it("are nothing for no ids", () => {
    expect(writePayloads([])).toEqual([])
    expect(readPayload("")).toEqual({ kind: "unknown" })
  })
})

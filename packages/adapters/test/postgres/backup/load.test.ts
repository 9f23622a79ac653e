import { randomUUID } from "node:crypto"
import { databaseUrl } from "@hearth/test-services"
import type pg from "pg"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { dumpDatabase, openClient } from "../../../src/postgres/backup/dump.ts"
import { loadDatabase } from "../../../src/postgres/backup/load.ts"
import { never } from "../../../src/postgres/backup/stoppable.ts"
import { controlSchema } from "../../../src/postgres/schema/schemas.ts"

const steps = controlSchema.steps.map(({ name }) => name)

async function* pieces(text: string, size: number) {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const developer = (id: string, name: string) =>
  `COPY "developers" ("id", "email", "name", "oauth_providers", "created_at", "updated_at", "password_hash") FROM stdin;
${id}\t${id}@example.com\t${name}\t[]\t2026-01-01 00:00:00+00\t2026-01-01 00:00:00+00\thash
\\.
`

const family = (owner: string) =>
  `COPY "developer_session_families" ("id", "owner_id", "created_at", "last_used_at") FROM stdin;
${randomUUID()}\t${owner}\t2026-01-01 00:00:00+00\t2026-01-01 00:00:00+00
\\.
`

describe("loading a dump", () => {
  const url = new URL(databaseUrl())
  const database = `hearth_load_${randomUUID().replaceAll("-", "")}`
  let maintenance: pg.Client
  let client: pg.Client

  beforeAll(async () => {
    maintenance = await openClient(url, "postgres")
    await maintenance.query(`create database ${database} template template0`)
    client = await openClient(url, database)
  })
  beforeEach(() => client.query("drop schema public cascade; create schema public"))
  afterAll(async () => {
    await client.end()
    await maintenance.query(`drop database ${database} with (force)`)
    await maintenance.end()
  })

  const load = (text: string, size = 1_000_000) =>
    loadDatabase(client, { schema: controlSchema, steps, source: pieces(text, size), stop: { url, signal: never } })
  const countTables = async () =>
    (await client.query("select count(*)::int as count from pg_tables where schemaname = 'public'")).rows[0].count

  const id = randomUUID()
  it.each([
    ["a row that is cut off", developer(id, "Ada").slice(0, -20)],
    ["a value that is none", developer("no-uuid", "Ada").repeat(2)],
    ["a row that is there already", developer(id, "Ada").repeat(2)],
    ["a reference to what is not there", family(randomUUID())],
    ["a statement that no dump has", `${developer(id, "Ada")}drop table projects;\n`],
  ])("leaves nothing behind where it has %s", async (_, text) => {
    await expect(load(text, 7)).rejects.toThrow()
    expect(await countTables()).toBe(0)
  })

  it("ends soon after it is stopped, whatever statement is under way, and leaves nothing behind", async () => {
    const stopping = new AbortController()
    const loading = loadDatabase(client, {
      ...{ schema: controlSchema, steps, source: pieces(developer(id, "Ada"), 100) },
      stop: { url, signal: stopping.signal },
      before: async (own) => {
        setImmediate(() => stopping.abort("SIGINT"))
        await own.query("select pg_sleep(3600)")
      },
    })
    await expect(loading).rejects.toThrow("canceling statement")
    expect(await countTables()).toBe(0)
  })

  it("ends soon after it is stopped between two statements", async () => {
    const stopping = new AbortController()
    const loading = loadDatabase(client, {
      ...{ schema: controlSchema, steps, source: pieces(developer(id, "Ada"), 100) },
      stop: { url, signal: stopping.signal },
      before: async (own) => {
        stopping.abort("SIGINT")
        // The first cancel finds nothing that is under way.
        await new Promise((resume) => setTimeout(resume, 300))
        await own.query("select pg_sleep(3600)")
      },
    })
    await expect(loading).rejects.toThrow("canceling statement")
    expect(await countTables()).toBe(0)
  })

  it("is not stopped any more where what follows has begun", async () => {
    const stopping = new AbortController()
    await loadDatabase(client, {
      ...{ schema: controlSchema, steps, source: pieces(developer(id, "Ada"), 100) },
      stop: { url, signal: stopping.signal },
      after: async (own) => {
        stopping.abort("SIGINT")
        await own.query("drop table developers cascade")
      },
    })
    expect(await countTables()).toBeGreaterThan(5)
  })

  it("takes what was dumped, in whatever pieces, and dumps the same again", async () => {
    // What follows a backslash at the end of a piece, and looks like the end of a block, is a part of a value.
    await load(developer(id, "A\\\\.\\n\\\\.\\t ä€😀") + family(id), 3)
    const dumped: Array<Buffer> = []
    for await (const piece of dumpDatabase(client, ({ rows }) => expect(rows).toBe(2))) dumped.push(piece)
    const again = Buffer.concat(dumped).toString("utf8")
    expect(again).toContain("A\\\\.\\n\\\\.\\t ä€😀")
    expect((await client.query("select name from developers")).rows).toEqual([{ name: "A\\.\n\\.\t ä€😀" }])
    expect(await countTables()).toBeGreaterThan(5)
  })
})

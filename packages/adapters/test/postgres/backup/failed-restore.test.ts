import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import pg from "pg"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { asOnlyRestore, besideName } from "../../../src/postgres/backup/restore-parts.ts"
import { readBusy } from "../../../src/postgres/connections/database-busy.ts"

// The address of a server that is gone by the time of the failure.
const url = new URL("postgres://a:b@127.0.0.1:1/hearth")

const fail = (error: unknown) => {
  const query = async (text: string) => ({ rows: text.includes("is_alone") ? [{ is_alone: true }] : [] })
  const client = { database: "hearth", query } as unknown as pg.Client
  return asOnlyRestore(client, { url, mediaFolder: null }, () => Promise.reject(error))
}

const left = "What was loaded is left in databases called hearth_fe586323_restoring_…: the next restore removes them."

describe("a restore whose database is gone", () => {
  it("says so, and what is left, in sentences", async () => {
    await expect(fail(new Error("Connection terminated unexpectedly"))).rejects.toThrow(
      `The database hearth cannot be reached: Connection terminated unexpectedly. ${left}`,
    )
  })

  it("says that its disk is full", async () => {
    const full = Object.assign(new pg.DatabaseError("could not write: No space left on device", 1, "error"), {
      code: "53100",
    })
    const sentences = `No space is left for the database hearth: could not write: No space left on device. ${left}`
    await expect(fail(full)).rejects.toThrow(sentences)
    await expect(fail(readBusy("hearth", full))).rejects.toThrow(sentences)
  })
})

describe("files that a restore which was killed has replaced", () => {
  const id = "01a2042b-909f-7179-973a-ac271bf66ef2"
  let mediaFolder: string

  beforeEach(() => {
    mediaFolder = mkdtempSync(join(tmpdir(), "hearth-media-"))
    for (const [folder, file] of [[id, "loaded"] as const, [`.replaced-${id}`, "replaced"] as const]) {
      mkdirSync(join(mediaFolder, folder))
      writeFileSync(join(mediaFolder, folder, file), "")
    }
  })
  afterEach(() => rmSync(mediaFolder, { recursive: true }))

  /** What the next restore finds, where the server has these databases. */
  const findNext = (databases: ReadonlyArray<string>) => {
    const query = async (text: string) => ({
      rows: text.includes("is_alone") ? [{ is_alone: true }] : databases.map((name) => ({ name })),
    })
    const client = { database: "hearth", query } as unknown as pg.Client
    return asOnlyRestore(client, { url, mediaFolder }, async () => [
      readdirSync(mediaFolder),
      readdirSync(join(mediaFolder, id)),
    ])
  }

  it("are removed where the database was exchanged, too", async () => {
    const replaced = besideName("hearth", "replaced", id)
    expect(await findNext([replaced])).toEqual([[id], ["loaded"]])
  })

  it("come back where it was not", async () => {
    const loaded = besideName("hearth", "restoring", id)
    expect(await findNext([loaded])).toEqual([[id], ["replaced"]])
  })
})

import pg from "pg"
import { describe, expect, it } from "vitest"
import { asOnlyRestore } from "../../../src/postgres/backup/restore-parts.ts"
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

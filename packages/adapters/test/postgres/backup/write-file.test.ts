import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setImmediate, setTimeout } from "node:timers/promises"
import { afterAll, describe, expect, it } from "vitest"
import { BackupUnusable } from "../../../src/postgres/backup/manifest.ts"
import { writeBackupFile } from "../../../src/postgres/backup/write-file.ts"

const folder = mkdtempSync(join(tmpdir(), "hearth-backup-"))
afterAll(() => rmSync(folder, { recursive: true }))

const pieces = async function* (count: number) {
  for (let at = 0; at < count; at += 1) yield Buffer.alloc(100_000, "x")
}
const { signal } = new AbortController()

describe("a file of a backup", () => {
  it("is written with its size and checksum", async () => {
    const written = await writeBackupFile(folder, "a/b", pieces(2), { compress: false, signal })
    expect(written).toMatchObject({ file: "a/b", bytes: 200_000, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect(readFileSync(join(folder, "a/b"))).toHaveLength(200_000)
  })

  it.skipIf(!existsSync("/dev/full")).each([true, false])(
    "for which no space is left is said in a sentence (compressed: %s)",
    async (compress) => {
      const file = `full-${compress}`
      symlinkSync("/dev/full", join(folder, file))
      const failure = await writeBackupFile(folder, file, pieces(200), { compress, signal }).catch((error) => error)
      expect(failure).toBeInstanceOf(BackupUnusable)
      expect(failure.message).toBe(
        `No space is left for ${join(folder, file)}: make room, or name a folder on a larger disk.`,
      )
    },
  )

  it.each(["fails", "is stopped"])("does not come into being after its writing %s", async (how) => {
    const fails = async function* (): AsyncGenerator<Buffer> {
      yield* pieces(0)
      await setImmediate()
      throw new Error("no source")
    }
    for (let turn = 0; turn < 100; turn += 1) {
      const place = mkdtempSync(join(folder, "place-"))
      const stop = new AbortController()
      const source = how === "fails" ? fails() : pieces(100)
      const writing = writeBackupFile(place, "a", source, { compress: turn % 2 === 0, signal: stop.signal })
      if (how !== "fails") void setImmediate().then(() => stop.abort())
      await expect(writing).rejects.toThrow(how === "fails" ? "no source" : "aborted")
      const left = readdirSync(place)
      await setTimeout(2)
      expect(readdirSync(place)).toEqual(left)
    }
  })
})

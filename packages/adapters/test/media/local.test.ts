import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { inPieces, localHarness, localStorageContract, storageContract } from "@hearth/testing/contracts"
import { Effect } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { openLocalFiles, openStorage } from "../../src/media/index.ts"

const parent = mkdtempSync(join(tmpdir(), "hearth-files-"))
const faults: Array<unknown> = []
let made = 0

const openIn = (folder: string, makesFolder = true, isOnlyProcess = true) =>
  openLocalFiles({ folder, makesFolder, isOnlyProcess, onFault: (cause) => void faults.push(cause) })

const open = async () => {
  made += 1
  const folder = join(parent, `${made}`, "media")
  const storage = await openIn(folder)
  return { ...localHarness(storage), storage, folder }
}

storageContract("local files", open)
localStorageContract("local files", open)

describe("local files", () => {
  afterAll(() => rmSync(parent, { recursive: true }))

  const project = "0190aaaa-bbbb-7ccc-8ddd-eeeeffff0000"
  const path = `${project}/1700000000000_a.png`
  const bytes = new TextEncoder().encode("12345")
  const size = { leastBytes: 1, mostBytes: 100 }

  it("leave no draft, whatever became of it", async () => {
    const { storage, folder } = await open()
    await Effect.runPromise(storage.write(path, inPieces(bytes), size))
    await Effect.runPromise(storage.write(path, inPieces(bytes), size))
    await Effect.runPromise(storage.write(`${path}2`, inPieces(bytes), { ...size, mostBytes: 1 }))
    expect(readdirSync(join(folder, ".uploads"))).toEqual([])
    expect(readdirSync(join(folder, project))).toHaveLength(1)
  })

  it("give a body back where it cannot be written, so that its sender can be answered", async () => {
    const { storage, folder } = await open()
    let isGivenBack = false
    const body = (async function* () {
      try {
        // What no file takes, as a full disk takes nothing.
        for (;;) yield { byteLength: 1 } as Uint8Array
      } finally {
        isGivenBack = true
      }
    })()
    expect(await Effect.runPromise(Effect.flip(storage.write(path, body, size)))).toMatchObject({
      code: "STORAGE_UNAVAILABLE",
    })
    expect(isGivenBack).toBe(true)
    expect(readdirSync(join(folder, ".uploads"))).toEqual([])
  })

  it("forget drafts of a process that died, also when others write there once they are old", async () => {
    const folder = join(parent, "left-over")
    mkdirSync(join(folder, ".uploads"), { recursive: true })
    const left = join(folder, ".uploads", "draft")
    writeFileSync(left, "x")
    await openIn(folder, true, false)
    expect(existsSync(left)).toBe(true)
    await openIn(folder, true, true)
    expect(existsSync(left)).toBe(false)
  })

  it("forget old drafts of others with a later upload, without a start", async () => {
    const folder = join(parent, "left-by-others")
    const storage = await openIn(folder, true, false)
    const drafts = join(folder, ".uploads")
    mkdirSync(drafts, { recursive: true })
    for (const name of ["old", "new"]) writeFileSync(join(drafts, name), "x")
    const hoursAgo = new Date(Date.now() - 3 * 3_600_000)
    utimesSync(join(drafts, "old"), hoursAgo, hoursAgo)
    await Effect.runPromise(storage.write(path, inPieces(bytes), size))
    expect(readdirSync(drafts)).toEqual(["new"])
  })

  it("of another machine are not taken for files that are gone", async () => {
    const folder = join(parent, "elsewhere")
    const storage = await openIn(folder, false)
    for (const asked of [storage.find(path), storage.remove([path]), storage.removeProject(project)])
      expect(await Effect.runPromise(Effect.flip(asked))).toMatchObject({ code: "STORAGE_UNAVAILABLE" })
    expect(existsSync(folder)).toBe(false)
    expect(faults.length).toBeGreaterThan(0)
  })

  it("are no links and no folders, which are refused like files that are gone", async () => {
    const { storage, folder } = await open()
    await Effect.runPromise(storage.write(path, inPieces(bytes), size))
    const [name = ""] = readdirSync(join(folder, project))
    const file = join(folder, project, name)
    const elsewhere = join(parent, "elsewhere.txt")
    renameSync(file, elsewhere)
    const expectNone = async () => {
      expect(await Effect.runPromise(storage.read(path, { start: 0, end: 4 }))).toBeNull()
      expect(await Effect.runPromise(storage.find(path))).toBeNull()
    }
    symlinkSync(elsewhere, file)
    await expectNone()
    expect(await Effect.runPromise(storage.write(path, inPieces(bytes), size))).toEqual({ kind: "taken" })
    expect(await Effect.runPromise(storage.remove([path]))).toEqual([])
    expect([existsSync(file), readFileSync(elsewhere, "utf8")]).toEqual([false, "12345"])
    mkdirSync(file)
    await expectNone()
  })

  it("are found under the names that they have in a bucket, as copied from there, and go with them", async () => {
    const { storage, folder } = await open()
    await Effect.runPromise(storage.find(path))
    const file = join(folder, path)
    mkdirSync(join(folder, project))
    writeFileSync(file, "12345")
    expect(await Effect.runPromise(storage.find(path))).toEqual({ size_bytes: 5 })
    const pieces = await Effect.runPromise(storage.read(path, { start: 1, end: 3 }))
    const read: Array<string> = []
    for await (const piece of pieces ?? []) read.push(new TextDecoder().decode(piece))
    expect(read.join("")).toBe("234")
    expect(await Effect.runPromise(storage.write(path, inPieces(bytes), size))).toEqual({ kind: "taken" })
    expect(await Effect.runPromise(storage.remove([path]))).toEqual([])
    expect(existsSync(file)).toBe(false)
  })

  it("are not found under the name that another file has on the disk, nor under one that no disk takes", async () => {
    const { storage, folder } = await open()
    await Effect.runPromise(storage.write(path, inPieces(bytes), size))
    const [name = ""] = readdirSync(join(folder, project))
    const [long, other] = [`${project}/1_${"ä".repeat(127)}`, `${project}/${name}`]
    for (const each of [long, other, other.toUpperCase().replace(project.toUpperCase(), project)])
      expect(await Effect.runPromise(storage.find(each))).toBeNull()
    expect(await Effect.runPromise(storage.remove([long, other]))).toEqual([])
    expect(await Effect.runPromise(storage.find(path))).toEqual({ size_bytes: 5 })
  })

  it("are nothing that a path could leave its folder for", async () => {
    const { storage } = await open()
    for (const bad of ["../x/1_a", `${project}/../1_a`, `${project}/a`, `${project}/`, "/etc/passwd"])
      expect(await Effect.runPromise(Effect.flip(storage.find(bad)))).toMatchObject({ code: "STORAGE_UNAVAILABLE" })
    const odd = `${project}/1_../../../../etc/passwd`
    expect(await Effect.runPromise(storage.find(odd))).toBeNull()
  })

  describe("opened by a server", () => {
    const openAt = async (folder: string, servesFiles = true) => {
      const lines: Array<unknown> = []
      const address = { url: pathToFileURL(folder).href, dataDir: parent, servesFiles, isOnlyProcess: true }
      await openStorage(address, (level, message) => lines.push([level, message]))
      return lines
    }

    it("say at once where they cannot be written, and make nothing before the first file", async () => {
      const file = join(parent, "file")
      writeFileSync(file, "")
      const folder = join(file, "media")
      expect(await openAt(folder)).toEqual([
        [
          "warn",
          `No file can be sent: ${folder} cannot be written (ENOTDIR). Let this user write it, or name another place in STORAGE_URL.`,
        ],
      ])
      expect(await openAt(folder, false)).toEqual([])
      expect(await openAt(join(parent, "new", "media"))).toEqual([])
      expect(existsSync(join(parent, "new"))).toBe(false)
    })
  })
})

import type { LocalStorage, Storage } from "@hearth/core/media"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { anId } from "../builders.ts"

/** A storage, and how files come to it and from it. */
export interface StorageHarness {
  readonly storage: Storage
  /** Puts a file there as a client does, and answers whether it was taken. */
  readonly put: (path: string, bytes: Uint8Array) => Promise<boolean>
  /** What a client that knows the address is given; null where there is nothing. */
  readonly get: (path: string) => Promise<Uint8Array | null>
  readonly close: () => Promise<void>
}

const text = (value: string) => new TextEncoder().encode(value)
const names = ["plain.png", "with blank & %2F + ü 🦊.png", `${"ä".repeat(100)}.`, "UPPER.PNG", "upper.png"]

/** Bytes in pieces of a few. */
export const inPieces = async function* (bytes: Uint8Array, size = 3) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size)
}

const readAll = async (body: AsyncIterable<Uint8Array>): Promise<Uint8Array> => {
  const bytes: Array<number> = []
  for await (const part of body) bytes.push(...part)
  return Uint8Array.from(bytes)
}

/** A harness of a local storage. */
export const localHarness = (storage: LocalStorage, close = async () => {}): StorageHarness => ({
  storage,
  close,
  put: async (path, bytes) => {
    const size = { leastBytes: bytes.length, mostBytes: bytes.length }
    return (await Effect.runPromise(storage.write(path, inPieces(bytes), size))).kind === "written"
  },
  get: async (path) => {
    const file = await Effect.runPromise(storage.read(path, { start: 0, end: 1_000_000 }))
    return file === null ? null : readAll(file)
  },
})

/** What every storage promises [I7.2]. */
export const storageContract = (name: string, open: () => Promise<StorageHarness>) =>
  describe(`storage: ${name}`, () => {
    let harness: StorageHarness
    beforeAll(async () => {
      harness = await open()
    })
    afterAll(() => harness.close())

    const find = (path: string) => Effect.runPromise(harness.storage.find(path))
    const remove = (paths: ReadonlyArray<string>) => Effect.runPromise(harness.storage.remove(paths))

    it.each(names)("keeps a file as it came: %s", async (filename) => {
      const path = `${anId()}/1700000000000_${filename}`
      const bytes = Uint8Array.from({ length: 1_000 }, (_, at) => at % 256)
      expect([await find(path), await harness.get(path)]).toEqual([null, null])
      expect(await harness.put(path, bytes)).toBe(true)
      expect(await find(path)).toEqual({ size_bytes: 1_000 })
      expect(await harness.get(path)).toEqual(bytes)
    })

    it("keeps files of one project apart, whatever the case of their names", async () => {
      const project = anId()
      const paths = names.map((filename) => `${project}/1700000000000_${filename}`)
      for (const path of paths) expect(await harness.put(path, text(path))).toBe(true)
      for (const path of paths) expect(await harness.get(path)).toEqual(text(path))
    })

    it("takes a file once, of many at once one", async () => {
      const path = `${anId()}/1700000000000_a.png`
      const bodies = ["one", "two", "six", "ten"].map(text)
      const taken = await Promise.all(bodies.map((body) => harness.put(path, body)))
      expect(taken.filter((isTaken) => isTaken)).toHaveLength(1)
      expect(await harness.get(path)).toEqual(bodies[taken.indexOf(true)])
      expect(await harness.put(path, text("new"))).toBe(false)
      expect(await harness.get(path)).toEqual(bodies[taken.indexOf(true)])
    })

    it("removes files, and passes over what is not there", async () => {
      const project = anId()
      const [one, two, three] = [1, 2, 3].map((n) => `${project}/170000000000${n}_a b.png`) as [string, string, string]
      for (const path of [one, two, three]) await harness.put(path, text("x"))
      expect(await remove([one, `${project}/1700000000009_none.png`, two])).toEqual([])
      expect(await remove([])).toEqual([])
      expect([await find(one), await find(two), await find(three)]).toEqual([null, null, { size_bytes: 1 }])
      expect(await harness.get(one)).toBeNull()
      expect(await harness.put(one, text("again"))).toBe(true)
    })

    it("removes all files of a project, and no other's", async () => {
      const [project, other] = [anId(), anId()]
      for (const owner of [project, other])
        for (const name of ["1700000000000_a", "1700000000001_b"]) await harness.put(`${owner}/${name}`, text("x"))
      const removeProject = () => Effect.runPromise(harness.storage.removeProject(project))
      await removeProject()
      await removeProject()
      expect(await find(`${project}/1700000000000_a`)).toBeNull()
      expect(await find(`${project}/1700000000001_b`)).toBeNull()
      expect(await find(`${other}/1700000000001_b`)).toEqual({ size_bytes: 1 })
    })
  })

/** What a local storage promises beyond that. */
export const localStorageContract = (name: string, open: () => Promise<StorageHarness & { storage: LocalStorage }>) =>
  describe(`local storage: ${name}`, () => {
    let harness: StorageHarness & { storage: LocalStorage }
    beforeAll(async () => {
      harness = await open()
    })
    afterAll(() => harness.close())

    const newPath = () => `${anId()}/1700000000000_a.png`
    const write = (path: string, body: AsyncIterable<Uint8Array>, leastBytes: number, mostBytes: number) =>
      Effect.runPromise(harness.storage.write(path, body, { leastBytes, mostBytes }))
    const broken = async function* () {
      yield text("begin")
      throw new Error("The sender is gone.")
    }

    it("leaves nothing of a body that is too long, too short or broken, and takes the next one [I7.2]", async () => {
      const path = newPath()
      expect(await write(path, inPieces(text("123456")), 1, 5)).toEqual({ kind: "too_large" })
      expect(await write(path, inPieces(text("1234")), 5, 5)).toEqual({ kind: "cut_short" })
      expect(await write(path, broken(), 1, 100)).toEqual({ kind: "cut_short" })
      expect(await harness.get(path)).toBeNull()
      expect(await write(path, inPieces(text("12345")), 5, 5)).toEqual({ kind: "written", size_bytes: 5 })
      expect(await write(path, inPieces(text("12345")), 5, 5)).toEqual({ kind: "taken" })
    })

    it("takes names as long as they may be [I7.1]", async () => {
      const path = `${anId()}/1700000000000_${"🦊".repeat(127)}.`
      expect(await harness.put(path, text("long"))).toBe(true)
      expect(await harness.get(path)).toEqual(text("long"))
    })

    it("reads a part, and only that", async () => {
      const path = newPath()
      await write(path, inPieces(text("0123456789")), 1, 100)
      const read = async (start: number, end: number) => {
        const body = await Effect.runPromise(harness.storage.read(path, { start, end }))
        return body === null ? "" : new TextDecoder().decode(await readAll(body))
      }
      expect([await read(0, 9), await read(0, 0), await read(3, 5), await read(9, 9)]).toEqual([
        ...["0123456789", "0", "345", "9"],
      ])
      expect(await Effect.runPromise(harness.storage.read(newPath(), { start: 0, end: 1 }))).toBeNull()
    })
  })

import { spawnSync } from "node:child_process"
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { basename, join } from "node:path"
import { afterAll, afterEach, describe, expect, it } from "vitest"
import { mayReach } from "../../src/embedded/account.ts"
import { prepareBinaries } from "../../src/embedded/binaries.ts"
import { sharedFolder } from "../../src/embedded/shared-folder.ts"
import { aFolder, answer, clear, end, kept, query, start, startInProcess } from "./harness.ts"

const nobody = { uid: 65534, gid: 65534 }
/** A uid without privileges that every system has. PostgreSQL runs as it only when the test process does. */
const ordinary = { uid: 1, gid: 1 }
const isRoot = process.getuid?.() === 0
const others = isRoot && mayReach(ordinary, import.meta.dirname)

const ordinaryFolder = (): string => {
  const folder = aFolder()
  chownSync(folder, ordinary.uid, ordinary.gid)
  return folder
}

/** A small package in the form of npm's: a program and a library to be linked. */
const aPackage = (): string => {
  const folder = aFolder()
  for (const name of ["bin", "lib", "share"]) mkdirSync(join(folder, "native", name), { recursive: true })
  writeFileSync(join(folder, "package.json"), JSON.stringify({ version: "18.0.0" }))
  writeFileSync(join(folder, "native", "bin", "postgres"), `#!/bin/sh\ncd ${folder}\n`, { mode: 0o755 })
  writeFileSync(join(folder, "native", "lib", "liba.so.1.2"), "a library")
  const links = [{ source: "native/lib/liba.so.1.2", target: "native/lib/liba.so.1" }]
  writeFileSync(join(folder, "native", "pg-symlinks.json"), JSON.stringify(links))
  return folder
}
const libraryOf = (postgres: string) => readFileSync(join(postgres, "..", "..", "lib", "liba.so.1"), "utf8")

describe.skipIf(!isRoot)("as root (skipped: these tests need root)", () => {
  const strays: Array<string> = []
  afterEach(clear)
  afterAll(() => {
    for (const stray of strays) rmSync(stray, { recursive: true, force: true })
    if (readdirSync(sharedFolder).length === 0) rmdirSync(sharedFolder)
  })

  it("runs PostgreSQL as nobody, who may enter but not list the data folder", async () => {
    const closed = aFolder()
    chmodSync(closed, 0o700)
    const { dataDir, notes } = await start(closed)
    expect(dataDir).toBe(join(closed, "postgres"))
    expect(statSync(closed).mode & 0o777).toBe(0o711)
    expect(statSync(dataDir)).toMatchObject(nobody)
    expect(notes).toEqual([])
  })

  it("keeps the cluster in the shared folder, and reports it, where `nobody` may not enter the folders above", async () => {
    const closed = aFolder()
    chmodSync(closed, 0o700)
    const dataDir = join(closed, "data")
    const first = await start(dataDir)
    strays.push(join(first.dataDir, ".."))
    expect(first.dataDir).toMatch(new RegExp(`^${sharedFolder}/.*/postgres$`))
    expect(first.notes[0]).toMatch(`The database of ${dataDir} is kept in ${first.dataDir}, because`)
    await query(first.url, "create table kept as select 42 as answer")
    await expect(start(dataDir)).rejects.toThrow("in use by another Hearth process")
    await first.stop()

    const second = await start(dataDir)
    expect(await kept(second.url)).toEqual(answer)
    await second.stop()
    rmSync(join(first.dataDir, ".."), { recursive: true })
    await expect(start(dataDir)).rejects.toThrow("which is gone")
  })

  it("copies the programs where `nobody` cannot reach them, once for several starts at the same time", async () => {
    const folder = aPackage()
    chmodSync(folder, 0o700)
    const made = await Promise.all([1, 2, 3].map(() => prepareBinaries(nobody, aFolder(), folder)))
    const [{ postgres } = { postgres: "" }] = made
    const copy = join(postgres, "..", "..", "..")
    strays.push(copy)
    expect(new Set(made.map((binaries) => binaries.postgres))).toEqual(new Set([postgres]))
    expect(postgres.startsWith(`${sharedFolder}/postgres-18.0.0-`)).toBe(true)
    expect(mayReach(nobody, postgres, 5)).toBe(true)
    expect(libraryOf(postgres)).toBe("a library")
    expect(made[0]?.notes).toEqual([`PostgreSQL's programs run from a copy in ${copy}.`])
    expect(readdirSync(sharedFolder).filter((name) => name.startsWith(basename(copy)))).toHaveLength(1)
  })

  it("links the libraries in place where all may reach them", async () => {
    const folder = aPackage()
    const made = await Promise.all([1, 2, 3].map(() => prepareBinaries(nobody, aFolder(), folder)))
    expect(made[0]?.postgres).toBe(join(folder, "native", "bin", "postgres"))
    expect(made[0]?.notes).toEqual([])
    expect(libraryOf(join(folder, "native", "bin", "postgres"))).toBe("a library")
  })
})

describe.skipIf(!others)(
  "as an ordinary user (skipped: these tests need root and sources that others may read)",
  { timeout: 20_000 },
  () => {
    afterEach(clear)

    it("starts, and starts again after root has started the same database", async () => {
      const dataDir = join(ordinaryFolder(), "data")
      const mine = await startInProcess(dataDir, ordinary)
      expect(mine.said).toMatchObject({ adopted: false, notes: [], dataDir: join(dataDir, "postgres") })
      await end(mine.child, "in order")
      const roots = await start(dataDir)
      await roots.stop()
      const again = await startInProcess(dataDir, ordinary)
      expect(again.said.failure).toBeUndefined()
    })

    it("cannot start in a folder that it may not write, or with another user's database", async () => {
      const folder = aFolder()
      const refused = await startInProcess(join(folder, "data"), ordinary)
      expect(refused.said.failure).toMatch(
        /^EmbeddedDatabaseFailure: The data folder .*data cannot be written by this user \(uid 1\): EACCES/,
      )
      const shared = ordinaryFolder()
      mkdirSync(join(shared, "postgres"))
      const other = await startInProcess(shared, ordinary)
      expect(other.said.failure).toMatch(/postgres belongs to another user \(uid 0\)/)
    })

    it.each([
      [
        "may enter",
        0o755,
        /The database in \S+postgres belongs to another user \(uid 65534\); start as that user or as root/,
      ],
      [
        "may not enter",
        0o700,
        /The data folder \S+ cannot be written by this user \(uid 1\): EACCES.*; let it, or set DATA_DIR/,
      ],
    ])("says whose a folder is that has a database and that it %s", async (_, mode, sentence) => {
      const folder = aFolder()
      await (await start(folder)).stop()
      chmodSync(folder, mode)
      const refused = await startInProcess(folder, ordinary)
      expect(refused.said.failure).toMatch(sentence)
      const source = join(import.meta.dirname, "../../src/embedded/find-running.ts")
      const script = `import { hasCluster } from ${JSON.stringify(source)}
      console.log(hasCluster(${JSON.stringify(folder)}))`
      const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
        ...ordinary,
        encoding: "utf8",
      })
      expect(stdout).toBe("")
      expect(stderr).toMatch(sentence)
    })

    it("runs a copy of the programs in the data folder where it cannot link the libraries in place", () => {
      const folder = aPackage()
      const dataDir = ordinaryFolder()
      const source = join(import.meta.dirname, "../../src/embedded/binaries.ts")
      const script = `import { prepareBinaries } from ${JSON.stringify(source)}
      console.log((await prepareBinaries(undefined, ${JSON.stringify(dataDir)}, ${JSON.stringify(folder)})).postgres)`
      const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
        ...ordinary,
        encoding: "utf8",
      })
      expect(stderr).toBe("")
      expect(stdout.startsWith(`${dataDir}/postgres-18.0.0-`)).toBe(true)
      expect(libraryOf(stdout.trim())).toBe("a library")
    })
  },
)

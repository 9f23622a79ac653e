import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, afterEach, describe, expect, it, vi } from "vitest"
import { findRunningDatabase } from "../../src/embedded/index.ts"
import {
  aFolder,
  answer,
  aUsedDataDir,
  clear,
  clearShared,
  end,
  forkOwner,
  kept,
  query,
  serverPid,
  start,
  startInProcess,
} from "./harness.ts"

describe("the embedded database after a fault", () => {
  afterEach(clear)
  afterAll(clearShared)

  it.each(["kill -9", "Ctrl-C"] as const)("adopts the PostgreSQL of a process ended by %s", async (how) => {
    const dataDir = await aUsedDataDir()
    const { child, said } = await startInProcess(dataDir)
    await end(child, how)
    const pid = serverPid(said.dataDir)

    const next = await start(dataDir)
    expect(next).toMatchObject({ adopted: true, url: said.url, dataDir: said.dataDir })
    expect(serverPid(next.dataDir)).toBe(pid)
    expect(await kept(next.url)).toEqual(answer)
    await next.stop()
    await expect(kept(next.url)).rejects.toThrow(/ECONNREFUSED|ENOENT/)
  })

  it("replaces a running server that was started with other settings", async () => {
    const dataDir = await aUsedDataDir()
    const { child } = await startInProcess(dataDir)
    await end(child, "kill -9")
    const { url, adopted } = await start(dataDir, { durable: true })
    expect(adopted).toBe(false)
    expect(await query(url, "show fsync")).toEqual([{ fsync: "on" }])
  })

  it("recovers when process and PostgreSQL were both killed", async () => {
    const dataDir = await aUsedDataDir()
    const { child, said } = await startInProcess(dataDir)
    process.kill(serverPid(said.dataDir), "SIGKILL")
    await end(child, "kill -9")
    const { url } = await start(dataDir)
    expect(await kept(url)).toEqual(answer)
  })

  it.each(["its own", "an adopted"])("starts %s PostgreSQL again on the same port when it is killed", async (whose) => {
    const dataDir = await aUsedDataDir()
    if (whose === "an adopted") await end((await startInProcess(dataDir)).child, "kill -9")
    const reports: Array<string> = []
    const database = await start(dataDir, { report: (sentence) => reports.push(sentence) })
    expect(database.adopted).toBe(whose === "an adopted")
    const pid = serverPid(database.dataDir)
    process.kill(pid, "SIGKILL")
    await vi.waitFor(() => expect(reports).toHaveLength(1), { timeout: 45_000 })
    expect(reports[0]).toMatch(`PostgreSQL (pid ${pid}) ended unexpectedly and was started again`)
    expect(await kept(database.url)).toEqual(answer)
  })

  it("stops at once while PostgreSQL is dead", async () => {
    const database = await start(await aUsedDataDir())
    process.kill(serverPid(database.dataDir), "SIGKILL")
    const before = performance.now()
    await database.stop()
    expect(performance.now() - before).toBeLessThan(8_000)
    await expect(kept(database.url)).rejects.toThrow(/ECONNREFUSED|ENOENT/)
  })

  it("starts after a first start that was killed during initdb", async () => {
    const dataDir = join(aFolder(), "data")
    const child = forkOwner(dataDir)
    const draft = () => readdirSync(dataDir).find((name) => name.startsWith("postgres-new-"))
    await vi.waitFor(() => expect(draft()).toBeDefined(), { timeout: 45_000, interval: 5 })
    await end(child, "kill -9")
    expect(existsSync(join(dataDir, "postgres"))).toBe(false)

    const { url, stop } = await start(dataDir)
    expect(await query(url, "select 1 as one")).toEqual([{ one: 1 }])
    // The initdb of the killed start may have run on for a while.
    await stop()
    await start(dataDir)
    expect(draft()).toBeUndefined()
  })

  it("ignores a pid file whose process id belongs to another program", async () => {
    const dataDir = await aUsedDataDir()
    const pidFile = join(dataDir, "postgres", "postmaster.pid")
    writeFileSync(
      pidFile,
      `${process.pid}\n${join(dataDir, "postgres")}\n1700000000\n1\n\n127.0.0.1\n  1 1\nready   \n`,
    )
    const { url, adopted } = await start(dataDir)
    expect(adopted).toBe(false)
    expect(await kept(url)).toEqual(answer)
  })

  it("fails with a reason when the password is not that of the running server", async () => {
    const dataDir = await aUsedDataDir()
    const file = join(dataDir, "postgres-password")
    const password = readFileSync(file, "utf8")
    await end((await startInProcess(dataDir)).child, "kill -9")
    writeFileSync(file, "another\n")
    const attempt = start(dataDir).finally(() => writeFileSync(file, password))
    await expect(attempt).rejects.toThrow(/does not let us in: password authentication failed/)
    expect((await start(dataDir)).adopted).toBe(true)
  })

  it("fails with a reason when the password is missing, or the data is of another major version", async () => {
    const dataDir = aFolder()
    mkdirSync(join(dataDir, "postgres"))
    writeFileSync(join(dataDir, "postgres", "PG_VERSION"), "17\n")
    const password = join(dataDir, "postgres-password")
    await expect(start(dataDir)).rejects.toThrow(`is missing; put ${password} back`)
    writeFileSync(password, "secret\n")
    await expect(start(dataDir)).rejects.toThrow(/is of PostgreSQL 17, and this Hearth brings PostgreSQL \d+/)
  })

  it("fails with a reason when the file with the password is empty or a folder", async () => {
    const dataDir = await aUsedDataDir()
    const file = join(dataDir, "postgres-password")
    const password = readFileSync(file, "utf8")
    const { child } = await startInProcess(dataDir)
    const sentence = `The password of the database in ${join(dataDir, "postgres")} is not in ${file}, which is empty; put ${file} back.`
    writeFileSync(file, "\n")
    await expect(findRunningDatabase(dataDir)).rejects.toThrow(sentence)
    await end(child, "in order")
    await expect(start(dataDir)).rejects.toThrow(sentence)
    rmSync(file)
    mkdirSync(file)
    await expect(start(dataDir)).rejects.toThrow(`${file} is a folder; put the file with the password`)
    rmSync(file, { recursive: true })
    writeFileSync(file, password)
    expect(await kept((await start(dataDir)).url)).toEqual(answer)
  })

  it("makes a password in an empty file where there is no database yet", async () => {
    const dataDir = aFolder()
    writeFileSync(join(dataDir, "postgres-password"), "")
    expect(await query((await start(dataDir)).url, "select 1 as one")).toEqual([{ one: 1 }])
  })

  it("fails with a reason when the pid file is empty", async () => {
    const dataDir = await aUsedDataDir()
    const file = join(dataDir, "postgres", "postmaster.pid")
    writeFileSync(file, "")
    const attempt = start(dataDir).finally(() => rmSync(file))
    await expect(attempt).rejects.toThrow(
      `${file} is empty, as a power cut may leave it; remove it, if no PostgreSQL runs on that folder.`,
    )
  })

  it("fails with a reason when the data folder is a file, or below one", async () => {
    const file = join(aFolder(), "file")
    writeFileSync(file, "")
    for (const dataDir of [file, join(file, "data")]) {
      await expect(start(dataDir)).rejects.toMatchObject({
        name: "EmbeddedDatabaseFailure",
        message: `The data folder ${dataDir} is not a folder; set DATA_DIR to one that is, or that can be made.`,
      })
    }
  })

  it.skipIf(!existsSync("/proc/self"))("fails with a reason where no folder can be made", async () => {
    await expect(start("/proc/hearth/data")).rejects.toThrow("The data folder /proc/hearth/data cannot be made")
  })
})

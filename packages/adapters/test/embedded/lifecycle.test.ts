import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, afterEach, describe, expect, it } from "vitest"
import { isAlive } from "../../src/embedded/process-birth.ts"
import { aFolder, aUsedDataDir, clear, clearShared, end, query, serverPid, start, startInProcess } from "./harness.ts"

describe("the embedded database", () => {
  afterEach(clear)
  afterAll(clearShared)

  it("makes its data folder on the first start and keeps the data over a restart", async () => {
    const dataDir = join(aFolder(), "not", "yet", "there")
    const first = await start(dataDir)
    expect(first).toMatchObject({ adopted: false, notes: [], dataDir: join(dataDir, "postgres") })
    await query(first.url, "create table kept as select 42 as answer")
    await first.stop()
    await expect(query(first.url, "select 1")).rejects.toThrow(/ECONNREFUSED|ENOENT/)

    const second = await start(dataDir)
    expect(second.adopted).toBe(false)
    expect(await query(second.url, "select * from kept")).toEqual([{ answer: 42 }])
  })

  it("removes what a first start has made where it is discarded, and nothing else", async () => {
    const above = aFolder()
    const dataDir = join(above, "not", "yet", "there")
    await (await start(dataDir)).discard()
    expect(readdirSync(above)).toEqual([])

    writeFileSync(join(above, "postgres-notes"), "the operator's")
    await (await start(above)).discard()
    expect(readdirSync(above)).toEqual(["postgres-notes"])

    const used = await aUsedDataDir()
    await (await start(used)).discard()
    expect(await query((await start(used)).url, "select * from kept")).toEqual([{ answer: 42 }])
  })

  it("listens on loopback and its own socket file only, requires the password and has our settings", async () => {
    const dataDir = await aUsedDataDir()
    const { url } = await start(dataDir, { maxConnections: 33 })
    expect(
      await query(
        url,
        `select current_setting('listen_addresses') as listen, current_setting('unix_socket_directories') as sockets,
          current_setting('max_connections') as connections, current_setting('timezone') as zone,
          current_setting('server_encoding') as encoding, current_setting('fsync') as fsync,
          (select datcollate from pg_database where datname = 'postgres') as collation`,
      ),
    ).toEqual([
      {
        listen: "127.0.0.1",
        sockets: `"${join(dataDir, "postgres")}"`,
        connections: "33",
        zone: "UTC",
        encoding: "UTF8",
        fsync: "off",
        collation: "C",
      },
    ])
    await expect(query(url.replace(/:[^:@]+@/, ":guess@"), "select 1")).rejects.toMatchObject({ code: "28P01" })
    expect(statSync(join(dataDir, "postgres-password")).mode & 0o777).toBe(0o600)
  })

  it("keeps our environment and refused statements from its process and its log", async () => {
    const dataDir = await aUsedDataDir()
    const { url, dataDir: cluster } = await start(dataDir)
    await expect(query(url, "select 'canary' / 0")).rejects.toThrow()
    expect(readFileSync(join(dataDir, "postgres.log"), "utf8")).not.toContain("canary")
    if (process.platform !== "linux") return
    expect(readFileSync(`/proc/${serverPid(cluster)}/environ`, "utf8")).not.toContain("PATH=")
  })

  it("refuses a second owner, in this or another process, and names the first [F3]", async () => {
    const dataDir = await aUsedDataDir()
    const attempts = await Promise.allSettled([start(dataDir), start(dataDir), start(dataDir)])
    expect(attempts.filter(({ status }) => status === "fulfilled")).toHaveLength(1)
    await expect(start(dataDir)).rejects.toThrow(`in use by another Hearth process (pid ${process.pid})`)

    const other = await startInProcess(dataDir)
    expect(other.said.failure).toMatch(new RegExp(`^EmbeddedDatabaseFailure: .*\\(pid ${process.pid}\\)`))
  })

  it("can be stopped twice, frees its folder and leaves no process", async () => {
    const dataDir = await aUsedDataDir()
    const first = await start(dataDir)
    const pid = serverPid(first.dataDir)
    await Promise.all([first.stop(), first.stop()])
    await first.stop()
    expect(isAlive(pid)).toBe(false)
    expect(existsSync(join(first.dataDir, "postmaster.pid"))).toBe(false)

    const { said, child } = await startInProcess(dataDir)
    expect(said.failure).toBeUndefined()
    await end(child, "in order")
    const files = [expect.stringMatching(/^hearth-owner\.\d+$/), "postgres", "postgres-password", "postgres.log"]
    expect(readdirSync(dataDir).sort()).toEqual(files)
  })
})

import { readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { afterAll, afterEach, describe, expect, it, vi } from "vitest"
import {
  aFolder,
  answer,
  aUsedDataDir,
  clear,
  clearShared,
  end,
  kept,
  query,
  serverPid,
  start,
  startInProcess,
} from "./harness.ts"

const socketsIn = (cluster: string) => readdirSync(cluster).filter((name) => name.startsWith(".s.PGSQL."))
const peer = "select inet_client_addr() is null as is_local"

describe.skipIf(process.platform === "win32")("the socket file of the embedded database", () => {
  afterEach(clear)
  afterAll(clearShared)

  it("is used by the address, asks for the password and is for the server's account only", async () => {
    const { url, tcpUrl, dataDir } = await start(await aUsedDataDir())
    expect(await query(url, peer)).toEqual([{ is_local: true }])
    expect(await query(tcpUrl, peer)).toEqual([{ is_local: false }])
    await expect(query(url.replace(/:[^:@]+@/, ":guess@"), "select 1")).rejects.toMatchObject({ code: "28P01" })
    const [socket = ""] = socketsIn(dataDir)
    expect(statSync(join(dataDir, socket)).mode & 0o777).toBe(0o700)
    expect(statSync(dataDir).mode & 0o777).toBe(0o700)
  })

  it("is there again after PostgreSQL was killed, and those before it are gone", async () => {
    const dataDir = await aUsedDataDir()
    const { child, said } = await startInProcess(dataDir)
    process.kill(serverPid(said.dataDir), "SIGKILL")
    await end(child, "kill -9")
    const reports: Array<string> = []
    const database = await start(dataDir, { report: (sentence) => reports.push(sentence) })
    process.kill(serverPid(database.dataDir), "SIGKILL")
    await vi.waitFor(() => expect(reports).toHaveLength(1), { timeout: 45_000 })
    expect(await kept(database.url)).toEqual(answer)
    expect(socketsIn(database.dataDir)).toHaveLength(2)
    await database.stop()
    expect(socketsIn(database.dataDir)).toEqual([])
  })

  it("works in a folder of any name, and is left out where its path is too long for a socket", async () => {
    const odd = await start(join(aFolder(), 'a "data", folder%2f+&'))
    expect(await query(odd.url, peer)).toEqual([{ is_local: true }])
    const long = await start(join(aFolder(), "x".repeat(80)))
    expect(long.url).toBe(long.tcpUrl)
    expect(await query(long.url, peer)).toEqual([{ is_local: false }])
    expect(socketsIn(long.dataDir)).toEqual([])
  })
})

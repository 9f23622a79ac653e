import { readFileSync } from "node:fs"
import { request } from "node:http"
import type { Service } from "./service.ts"

/** The size of a download, and when its first byte came. */
export interface Downloaded {
  readonly bytes: number
  readonly lines: number
  readonly firstByteMillis: number
}

const lineFeed = 10

const linesIn = (chunk: Buffer): number => {
  let count = 0
  for (let at = chunk.indexOf(lineFeed); at !== -1; at = chunk.indexOf(lineFeed, at + 1)) count += 1
  return count
}

/** How a download is read: at most so many bytes a second, and aborted after so many bytes. */
export interface Reading {
  readonly bytesPerSecond?: number
  readonly hangUpAfter?: number
  /** Whether lines are counted, which takes CPU time from the server that is measured. */
  readonly countLines?: boolean
}

/** Downloads a file and keeps nothing of it. */
export const download = (
  { origin }: Service,
  path: string,
  headers: Readonly<Record<string, string>>,
  {
    bytesPerSecond = Number.POSITIVE_INFINITY,
    hangUpAfter = Number.POSITIVE_INFINITY,
    countLines = false,
  }: Reading = {},
): Promise<Downloaded> =>
  new Promise((resolve, reject) => {
    const began = performance.now()
    let [bytes, lines, firstByteMillis] = [0, 0, 0]
    const sent = request(`${origin}/v1${path}`, { headers })
    sent.on("error", reject)
    sent.on("response", (response) => {
      if (response.statusCode !== 200) return reject(new Error(`${path}: ${response.statusCode}`))
      const done = () => resolve({ bytes, lines, firstByteMillis })
      response.on("data", (chunk: Buffer) => {
        if (bytes === 0) firstByteMillis = performance.now() - began
        bytes += chunk.length
        if (countLines) lines += linesIn(chunk)
        const early = (bytes / bytesPerSecond) * 1000 - (performance.now() - began)
        if (bytes >= hangUpAfter) response.destroy()
        else if (early > 0) {
          response.pause()
          setTimeout(() => response.resume(), early)
        }
      })
      response.on("end", done)
      response.on("error", reject)
      if (hangUpAfter < Number.POSITIVE_INFINITY)
        response
          .off("error", reject)
          .on("error", () => {})
          .on("close", done)
    })
    sent.end()
  })

/** Memory of a process that is in use, in bytes. */
export const residentBytes = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024

/** By how many bytes the memory of a process grows at the most while `work` goes on. */
export const measureGrowth = async ({ pid }: Service, work: () => Promise<unknown>): Promise<number> => {
  const before = residentBytes(pid)
  let most = before
  const watch = setInterval(() => {
    most = Math.max(most, residentBytes(pid))
  }, 20)
  await work()
  clearInterval(watch)
  return most - before
}

import { spawnSync } from "node:child_process"
import { Agent, request } from "node:http"
import { availableParallelism } from "node:os"
import type { Figure } from "../bench/harness/figure.ts"
import { runConcurrently } from "../bench/harness/figure.ts"
import { aProject, aUser } from "../packages/server/test/harness/fixtures.ts"
import { withHarness } from "./harness.ts"

// So many that the limits of each are no matter.
const users = 500
const clients = 16
const calls = 6_000
// What takes longer is of no use to a caller.
const usefulMillis = 5_000

/** Posts an event and answers its status; 0 where no answer came in time. */
const post = (agent: Agent, url: string, headers: Readonly<Record<string, string>>): Promise<number> =>
  new Promise((resolve) => {
    const sent = request(url, {
      ...{ agent, method: "POST", timeout: usefulMillis },
      headers: { ...headers, "content-type": "application/json" },
    })
    sent.on("response", (response) => {
      response.on("end", () => resolve(response.statusCode ?? 0)).on("error", () => resolve(0))
      response.resume()
    })
    sent.on("timeout", () => sent.destroy())
    sent.on("error", () => resolve(0))
    sent.end('{"event_name":"lesson"}')
  })

/** A process and all that it has started. */
const listTree = (root: number): ReadonlyArray<number> => {
  const { stdout } = spawnSync("ps", ["-e", "-o", "pid=,ppid="], { encoding: "utf8" })
  const parents = stdout
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number))
  const found = [root]
  for (const parent of found) for (const [pid, ppid] of parents) if (ppid === parent && pid) found.push(pid)
  return found
}

/**
 * Gives the service all cores but the last, and that one to the calls: else the calls that are too many take from the service what
 * it needs for the others, and nothing is learnt about the service. Answers whether that was possible.
 */
const keepApart = (serverPid: number): boolean => {
  const last = availableParallelism() - 1
  if (last === 0) return false
  const pin = (pid: number, cores: string) => spawnSync("taskset", ["-acp", cores, String(pid)]).status === 0
  const served = listTree(serverPid).map((pid) => pin(pid, `0-${last - 1}`))
  return pin(process.pid, String(last)) && served.every(Boolean)
}

/** Calls at three times the rate that the service can keep, for so many seconds, whatever becomes of them. */
export const overload = (seconds: number): Promise<ReadonlyArray<Figure>> =>
  withHarness(async (harness) => {
    const server = await harness.server({ DATA_DIR: harness.folder() })
    const project = await aProject(server.api)
    const senders = await Promise.all(Array.from({ length: users }, () => aUser(server.api, project)))
    const url = `${server.url}/v1/client/events`
    const isApart = keepApart(server.pid)
    const agent = new Agent({ keepAlive: true })
    const send = (at: number) => post(agent, url, senders[at % users]?.as ?? {})
    await runConcurrently(clients, calls / 2, send)
    const before = performance.now()
    await runConcurrently(clients, calls, send)
    const capacity = calls / ((performance.now() - before) / 1_000)

    const outcomes = new Map<number, number>()
    const sent: Array<Promise<void>> = []
    const began = performance.now()
    const end = seconds * 1_000
    let good = 0
    for (let now = 0; now < end; now = performance.now() - began) {
      while (sent.length < (now / 1_000) * capacity * 3) {
        sent.push(
          send(sent.length).then((status) => {
            outcomes.set(status, (outcomes.get(status) ?? 0) + 1)
            if (status === 200 && performance.now() - began <= end) good += 1
          }),
        )
      }
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    await Promise.all(sent)
    agent.destroy()
    const goodput = good / seconds / capacity
    const alive = await server.api.call("GET", project.admin, project.owner.as)
    const ending = await server.end("SIGTERM")
    const isWell = alive.status === 200 && ending.code === 0
    const listed = [...outcomes].map(([status, count]) => `${status === 0 ? "none" : status} × ${count}`).join(", ")
    return [
      {
        name: `Three times the capacity of ${Math.round(capacity)} events/s for ${seconds} s${isApart ? ", calls on a core of their own" : ""} (answers: ${listed})`,
        measured: `goodput ${(goodput * 100).toFixed(0)} %, ${isWell ? "no crash" : "it did not survive"}`,
        bound: "≥ 80 %, no crash",
        kept: goodput >= 0.8 && isWell,
      },
    ]
  })

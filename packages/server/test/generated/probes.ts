import { setTimeout as wait } from "node:timers/promises"
import type { Api } from "../harness/api.ts"
import { type ApiDocument, readOperations } from "./operations.ts"
import { seededRandom } from "./random.ts"
import { readAnswer } from "./read-answer.ts"
import { generateRequest } from "./requests.ts"
import { type GeneratedWorld, makeDevelopers, makeGeneratedWorld } from "./world.ts"

/** What probes across projects found. `leaks` names the answers with data of the other project; it is to be empty. */
export interface ProbeFindings {
  sent: number
  readonly statuses: Map<number, number>
  readonly leaks: Array<string>
  /** What changed in the project that was probed; to be empty. */
  readonly changes: Array<string>
}

// A run that takes longer ends early and says how far it came.
const mostMillis = 20 * 60_000

// What the service itself changes meanwhile.
const background = /"(user_count|last_evaluated_at)":("[^"]*"|null|\d+),?/g

/** Waits until the events of a world are handled: a moment after they were written that is when their users were seen last. */
const waitForEvents = async (api: Api, { projectId, owner }: GeneratedWorld) => {
  const end = performance.now() + 30_000
  const isHandled = async () => {
    const users = await api.ok<ReadonlyArray<{ readonly first_seen_at: string; readonly last_seen_at: string }>>(
      "GET",
      `/admin/projects/${projectId}/users`,
      owner,
    )
    return users.every(({ first_seen_at, last_seen_at }) => last_seen_at > first_seen_at)
  }
  while (!(await isHandled())) {
    if (performance.now() > end) throw new Error("The events of the world are not handled.")
    await wait(50)
  }
}

/** Sends `count` requests with the credentials of one project and the ids of another. */
export const runProbes = async (api: Api, origin: string, count: number, seed: number): Promise<ProbeFindings> => {
  const { operations, resolve } = readOperations((await (await api.root("/openapi.json")).json()) as ApiDocument)
  // Public links are for everybody.
  const probed = operations.filter(({ path }) => path.includes("{") && path.startsWith("/v1/"))
  const random = seededRandom(seed)
  const mine = await makeGeneratedWorld(api, await makeDevelopers(api))
  const theirs = await makeGeneratedWorld(api, await makeDevelopers(api))
  const findings: ProbeFindings = { sent: 0, statuses: new Map(), leaks: [], changes: [] }
  const admin = `/admin/projects/${theirs.projectId}`
  const shown = ["/users", "/streaks", "/segments", "/deep-links/tracked", "/api-keys", "/members", ""]
  const readTheirs = async () => {
    const answers = await Promise.all(shown.map((path) => api.call("GET", `${admin}${path}`, theirs.owner)))
    return answers.map(({ text }) => text.replaceAll(background, ""))
  }
  await waitForEvents(api, theirs)
  const before = await readTheirs()
  const probe = async (at: number) => {
    const operation = probed[at % probed.length]
    if (operation === undefined) return
    // Sometimes the whole address is theirs, sometimes their ids stand in a path of the caller's own project.
    const projectId = random.chance(0.5) ? theirs.projectId : mine.projectId
    const asMine = {
      ...theirs,
      projectId,
      owner: mine.owner,
      viewer: mine.viewer,
      stranger: mine.stranger,
      user: mine.user,
    }
    const isOwnRemoval = operation.method === "DELETE" && operation.path === "/v1/admin/projects/{projectId}"
    const world = { ...asMine, app: mine.app, ...(isOwnRemoval ? { projectId: theirs.projectId } : {}) }
    const { method, path, headers, body } = generateRequest(random, operation, resolve, world)
    const answer = await fetch(`${origin}${path}`, { method, headers, body, redirect: "manual" })
    const text = await readAnswer(answer)
    findings.statuses.set(answer.status, (findings.statuses.get(answer.status) ?? 0) + 1)
    findings.sent += 1
    if (text.includes(theirs.canary))
      findings.leaks.push(`${method} ${path} answered ${answer.status}: ${text.slice(0, 300)}`)
  }
  const end = performance.now() + mostMillis
  while (findings.sent < count && performance.now() < end)
    await Promise.all(Array.from({ length: 8 }, (_, at) => probe(findings.sent + at)))
  for (const [at, text] of (await readTheirs()).entries())
    if (text !== before[at])
      findings.changes.push(`${shown[at]}: ${before[at]?.slice(0, 200)} became ${text.slice(0, 200)}`)
  return findings
}

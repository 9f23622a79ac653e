import type { Api } from "../harness/api.ts"
import { findMismatch } from "./json-schema.ts"
import { type ApiDocument, type Operation, readOperations } from "./operations.ts"
import { seededRandom } from "./random.ts"
import { readAnswer } from "./read-answer.ts"
import { type GeneratedRequest, generateRequest } from "./requests.ts"
import { makeDevelopers, makeGeneratedWorld } from "./world.ts"

/** What was found. Every list has sentences that name the request; they are to be empty. */
export interface RequestFindings {
  sent: number
  /** How many answers had each status. */
  readonly statuses: Map<number, number>
  readonly faults: Array<string>
  readonly undocumented: Array<string>
  readonly misshapen: Array<string>
}

// A world is made anew so often, because requests remove parts of it.
const requestsPerWorld = 400

const describeRequest = ({ method, path, body }: GeneratedRequest) =>
  `${method} ${path.slice(0, 200)} ${(body ?? "").slice(0, 200)}`

const check = (
  findings: RequestFindings,
  operation: Operation,
  mismatch: (status: number, text: string) => string | null,
  request: GeneratedRequest,
  status: number,
  text: string,
) => {
  const name = `${describeRequest(request)} answered ${status}: ${text.slice(0, 300)}`
  findings.statuses.set(status, (findings.statuses.get(status) ?? 0) + 1)
  if (status >= 500) findings.faults.push(name)
  else if (!operation.answers.has(status)) findings.undocumented.push(name)
  else {
    const wrong = mismatch(status, text)
    if (wrong !== null) findings.misshapen.push(`${wrong} in ${name}`)
  }
}

// A run that takes longer ends early and says how far it came.
const mostMillis = 20 * 60_000

/** Sends `count` requests, generated from a seed over every operation of the service's own OpenAPI document, and checks the answers. */
export const runGeneratedRequests = async (
  api: Api,
  origin: string,
  count: number,
  seed: number,
): Promise<RequestFindings> => {
  const { operations, resolve } = readOperations((await (await api.root("/openapi.json")).json()) as ApiDocument)
  const random = seededRandom(seed)
  const findings: RequestFindings = { sent: 0, statuses: new Map(), faults: [], undocumented: [], misshapen: [] }
  const developers = await makeDevelopers(api)
  let world = await makeGeneratedWorld(api, developers)
  let isLost = false
  const sendOne = async (operation: Operation) => {
    const request = generateRequest(random, operation, resolve, world)
    const { method, path, headers, body } = request
    const answer = await fetch(`${origin}${path}`, { method, headers, body, redirect: "manual" })
    const isJson = answer.headers.get("content-type") === "application/json"
    const mismatch = (status: number, text: string) => {
      const schema = operation.answers.get(status) ?? null
      return schema === null || !isJson ? null : findMismatch(resolve, schema, JSON.parse(text))
    }
    check(findings, operation, mismatch, request, answer.status, await readAnswer(answer))
    findings.sent += 1
    // The project or its user is gone: what follows would all be refused.
    if (method === "DELETE" && /(users\/me|projects\/[^/]+)$/.test(path) && answer.status === 200) isLost = true
  }
  const end = performance.now() + mostMillis
  while (findings.sent < count && performance.now() < end) {
    const batch = Array.from({ length: 8 }, (_, at) => operations[(findings.sent + at) % operations.length])
    await Promise.all(batch.map((operation) => (operation === undefined ? null : sendOne(operation))))
    if (!isLost && findings.sent % requestsPerWorld >= 8) continue
    world = await makeGeneratedWorld(api, developers)
    isLost = false
  }
  return findings
}

import { randomUUID } from "node:crypto"
import { Agent, request } from "node:http"
import type { TestProject } from "../../harness/fixtures.ts"
import { eventName, type Sent } from "./ingest-clients.ts"

/**
 * What became of a request: its status; "refused" where no connection was made or a new one was reset; "lost" where one was sent on
 * a connection that was kept, and no answer came.
 */
export type Outcome = number | "refused" | "lost"

/** Clients that post events on connections that they keep, until they are refused. */
export interface KeepAliveClients {
  readonly outcomes: ReadonlyMap<Outcome, number>
  /** Resolves when every client was refused. */
  readonly ended: Promise<void>
}

/** Posts JSON on a connection of the agent. */
const post = (agent: Agent, url: string, headers: Readonly<Record<string, string>>, body: string): Promise<Outcome> =>
  new Promise((resolve) => {
    const sent = request(url, { agent, method: "POST", headers: { ...headers, "content-type": "application/json" } })
    sent.on("response", (response) => {
      // An answer that is cut off is no answer.
      response.on("error", () => resolve("lost"))
      response.on("end", () => resolve(response.statusCode ?? 0))
      response.resume()
    })
    sent.on("error", () => resolve(sent.reusedSocket ? "lost" : "refused"))
    sent.end(body)
  })

/** Starts `count` clients that post an event of a user each, again as soon as they have the answer. They note in `sent` what they do. */
export const startKeepAliveClients = (
  origin: string,
  { admin, owner }: TestProject,
  userId: string,
  count: number,
  sent: Sent,
): KeepAliveClients => {
  const agent = new Agent({ keepAlive: true, maxSockets: count })
  const outcomes = new Map<Outcome, number>()
  sent.shuffled.add(userId)
  const loop = async () => {
    for (;;) {
      const event_id = randomUUID()
      sent.batches.push([event_id])
      const event = { app_user_id: userId, event_name: eventName, event_id }
      const outcome = await post(agent, `${origin}/v1${admin}/events`, owner.as, JSON.stringify(event))
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
      if (outcome === 200) sent.acknowledged.add(event_id)
      if (outcome === "refused" || outcome === "lost") return
    }
  }
  const loops = Array.from({ length: count }, loop)
  return { outcomes, ended: Promise.all(loops).then(() => agent.destroy()) }
}

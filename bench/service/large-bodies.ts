import { randomUUID } from "node:crypto"
import { atMost, type Figure, median } from "../harness/figure.ts"
import { call, type Service, setUp } from "../harness/service.ts"

const batches = 100
const events = 500
const rounds = 3
const pauseMillis = 5

const wait = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

const writeBatch = (app_user_id: string | undefined) =>
  JSON.stringify({
    events: Array.from({ length: events }, (_, n) => ({
      app_user_id,
      event_name: "lesson_completed",
      event_id: randomUUID(),
      properties: { n, text: "x".repeat(300) },
    })),
  })

/** How long calls of one project take at most while another sends batches all at once, and what part that is of all the batches' time. */
export const largeBodies = async (service: Service): Promise<ReadonlyArray<Figure>> => {
  const [busy, other] = [await setUp(service, 1), await setUp(service, 1)]
  const send = (batch: string) =>
    call(service, "POST", `/admin/projects/${busy.projectId}/events`, busy.developer, batch)
  const me = () => call(service, "GET", "/client/users/me", other.client)
  await send(writeBatch(busy.userIds[0]))
  const [longest, parts]: [Array<number>, Array<number>] = [[], []]
  // In the first round the batches take connections of their own, and so does the other.
  for (let round = 0; round < rounds; round += 1) {
    const bodies = Array.from({ length: batches }, () => writeBatch(busy.userIds[0]))
    let [isOver, most] = [false, 0]
    const began = performance.now()
    const sent = Promise.all(bodies.map(send)).finally(() => {
      isOver = true
    })
    while (!isOver) {
      const asked = performance.now()
      await me()
      most = Math.max(most, performance.now() - asked)
      await wait(pauseMillis)
    }
    await sent
    longest.push(most)
    parts.push(most / (performance.now() - began))
  }
  const name = `GET /client/users/me while another project sends ${batches} batches of ${events} events at once`
  return [
    atMost(
      `${name}: the longest, of the time of the batches (${Math.max(...longest).toFixed(0)} ms)`,
      "×",
      Math.max(...parts),
      0.3,
      2,
    ),
    atMost(`${name}: the longest of the median round`, "ms", median(longest), 500),
  ]
}

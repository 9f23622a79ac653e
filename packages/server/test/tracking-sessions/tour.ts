import { expect } from "vitest"
import type { Tour } from "../harness/tour.ts"

/** A session from its start to its end, the events that it leaves, and what is counted of it. */
export const tour: Tour = async ({ admin, client, userId }) => {
  const app = { platform: "ios", app_version: "1.2.3" }
  const body = { ...app, session_id: "tour-1", device_model: "iPhone17,1", metadata: { theme: { dark: true } } }
  const started = await client("POST /client/sessions/start", { body })
  expect(started).toEqual({
    ...{ id: expect.any(String), session_id: "tour-1", started_at: expect.any(String) },
    ...app,
  })
  expect(await client("POST /client/sessions/start", { body: { session_id: "tour-1", platform: "web" } })).toEqual(
    started,
  )
  const beaten = await client("POST /client/sessions/heartbeat", { body: { session_id: "tour-1" } })
  expect(beaten).toEqual({ ...started, ...body, ended_at: null, duration_seconds: expect.any(Number) })

  const reference = { id: started["id"], session_id: "tour-1" }
  const ended = await client("POST /client/sessions/end", { body: { session_id: "tour-1" } })
  expect(ended).toEqual({ ...reference, ended_at: expect.any(String), duration_seconds: expect.any(Number) })
  expect(await client("POST /client/sessions/end", { body: { session_id: "tour-1" } })).toEqual(ended)

  const events = await admin<ReadonlyArray<{ event_name: string }>>("GET /users/:userId/events", { userId })
  expect(events.filter(({ event_name }) => event_name.startsWith("session_")).toReversed()).toMatchObject([
    { event_name: "session_started", properties: { session_id: "tour-1", ...app, device_model: "iPhone17,1" } },
    { event_name: "session_ended", properties: { session_id: "tour-1", duration_seconds: ended["duration_seconds"] } },
  ])
  expect(await admin("GET /analytics/sessions")).toMatchObject({ total_sessions: 1, users: 1 })
  const bundle = await admin<string>("GET /users/:userId/export", { userId })
  expect(bundle.match(/"section":"tracking_sessions"/g)).toHaveLength(1)
}

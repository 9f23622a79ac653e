import { expect } from "vitest"
import type { Tour } from "../harness/tour.ts"

/** The figures of a project whose user begins to use the app. */
export const tour: Tour = async ({ admin, client }) => {
  const session = { session_id: "analytics-1", platform: "android", app_version: "2.0" }
  const { started_at } = await client<{ started_at: string }>("POST /client/sessions/start", { body: session })
  const date = started_at.slice(0, 10)
  const figures = await admin("GET /analytics/sessions", { query: `since=${started_at}` })
  const one = { sessions: 1, users: 1 }
  expect(figures).toMatchObject({
    ...{ total_sessions: 1, users: 1, mean_duration_seconds: 0, median_duration_seconds: 0 },
    days: [{ date, ...one }],
    platforms: [{ platform: "android", ...one }],
    app_versions: [{ app_version: "2.0", ...one }],
  })
  const { hours } = await admin<{ hours: ReadonlyArray<object> }>("GET /analytics/hours")
  expect(hours.at(-1)).toEqual({ hour: expect.any(String), events: expect.any(Number), users: expect.any(Number) })
  const overview = await admin<{ dau: ReadonlyArray<{ date: string }> }>("GET /analytics/overview")
  expect(overview).toMatchObject({ wau: expect.any(Number), mau: expect.any(Number), stickiness: expect.any(Number) })
  expect(overview.dau.map((day) => day.date)).toContain(date)
  const { cohorts } = await admin<{ cohorts: ReadonlyArray<unknown> }>("GET /analytics/retention")
  expect(cohorts).toHaveLength(8)
}

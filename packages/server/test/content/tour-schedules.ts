import { expect } from "vitest"
import type { TourTools } from "../harness/tour.ts"

type Rows = ReadonlyArray<Record<string, unknown>>

/** Schedules of a library that has items, and what they deliver. */
export const tourSchedules = async ({ admin, client }: TourTools, library_id: unknown): Promise<void> => {
  const body = { library_id, name: "Daily tip", schedule_type: "daily_rotation", config: { timezone: "Europe/Berlin" } }
  const schedule = await admin("POST /content/schedules", { body })
  expect(schedule).toMatchObject({ ...body, config: { cron: "0 9 * * *", timezone: "Europe/Berlin" }, is_active: true })
  const scheduleId = schedule["id"]
  expect(await admin("GET /content/schedules")).toEqual([{ ...schedule, library_name: "Tips" }])
  const preview = () => admin<Rows>("GET /content/schedules/:scheduleId/preview", { scheduleId, query: "count=2" })
  const [first, second] = await preview()
  expect(first).toEqual({ at: expect.stringMatching(/Z$/), item_id: expect.any(String), title: "Second" })
  const delivered = await admin("POST /content/schedules/:scheduleId/deliver", { scheduleId })
  expect(delivered).toEqual({
    ...{ schedule_id: scheduleId, item_id: first?.["item_id"], delivered_at: expect.any(String) },
  })
  expect((await preview())[0]).toMatchObject({ item_id: second?.["item_id"] })
  const [shown] = await client<Rows>("GET /client/content/today")
  expect(shown).toMatchObject({
    ...{ schedule_name: "Daily tip", schedule_type: "daily_rotation", delivered_at: delivered["delivered_at"] },
    ...{ id: first?.["item_id"], library_id, body: "Two", title: "Second" },
  })
  const change = { scheduleId, body: { is_active: false } }
  expect(await admin("PATCH /content/schedules/:scheduleId", change)).toMatchObject({ is_active: false })
  expect(await admin("DELETE /content/schedules/:scheduleId", { scheduleId })).toEqual({ deleted: true })
  expect(await client("GET /client/content/today")).toEqual([])
  await admin("POST /content/schedules", { body })
}

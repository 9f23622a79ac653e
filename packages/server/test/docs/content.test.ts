import { expect } from "vitest"
import { describePage } from "../harness/describe-page.ts"

describePage("content.md", "[I1.1, I1.2, I1.3, I1.4]", ({ answer }) => {
  expect(answer("library")).toMatchObject({ name: "Tips", content_schema: { metadata: { minutes: "number" } } })
  expect(answer("items")).toMatchObject([
    { title: "Water", category: "health", tags: ["morning"], metadata: { minutes: 1 }, sort_order: 1 },
    { title: "Walk", is_premium: true, sort_order: 2 },
  ])
  expect(answer("imported")).toEqual({ imported: 2 })
  expect(answer("walk")).toMatchObject({ title: "Walk", sort_order: 0, category: null })
  expect(answer("all")).toMatchObject([{ title: "Walk" }, { title: "Water" }, { title: null }, { title: null }])
  expect(answer("health")).toMatchObject([{ title: "Water" }])
  const { user } = answer("me")
  expect(answer("own")).toMatchObject({
    ...{ title: "Stretch", sort_order: 5, owner_app_user_id: user.id, moderation: "shown", is_premium: false },
  })
  expect(answer("read")).toEqual(answer("tagged"))
  expect(answer("read")).toMatchObject({ tags: ["evening"] })
  const { id } = answer("schedule")
  expect(answer("schedule")).toMatchObject({
    config: { cron: "0 9 * * *", timezone: "Europe/Berlin" },
    is_active: true,
  })
  expect(answer("random")).toMatchObject({
    schedule_type: "random",
    workflow_schedule_id: expect.stringMatching(/^content-schedule-/),
  })
  expect(answer("moved")).toMatchObject({ id, config: { cron: "30 7 * * MON-FRI" } })
  expect(answer("delivered")).toMatchObject({ schedule_id: id, item_id: answer("walk").id })
  expect(answer("today")).toMatchObject([{ schedule_name: "Tip of the day", title: "Walk" }])
  expect([answer("off").is_active, answer("removed")]).toEqual([false, { deleted: true }])
})

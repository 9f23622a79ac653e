import { expect } from "vitest"
import type { Tour } from "../harness/tour.ts"

/** A flow from its making to its end: what users see of it, what is counted, and what is kept when it changes. */
export const tour: Tour = async ({ admin, client, projectId, userId }) => {
  const steps = [{ title: "Hello", nested: { list: [1, null, "ü"] } }, { title: "Goals" }]
  const flow = await admin("POST /onboarding/flows", { body: { name: "Welcome", steps } })
  expect(flow).toMatchObject({ name: "Welcome", steps, is_active: true })
  const flowId = flow["id"]
  expect(await admin("GET /onboarding/flows")).toEqual([flow])
  expect(await admin("GET /onboarding/flows/:flowId", { flowId })).toEqual(flow)
  expect(await client("GET /client/onboarding/flows")).toEqual([{ id: flowId, name: "Welcome", steps, progress: null }])

  const started = await client("POST /client/onboarding/:flowId/start", { flowId })
  expect(started).toEqual({
    ...{ flow_id: flowId, status: "in_progress", current_step: 0, steps, answers: {} },
    ...{ started_at: expect.any(String), completed_at: null, skipped_at: null },
  })
  expect(await client("POST /client/onboarding/:flowId/start", { flowId })).toEqual(started)

  const changed = await admin("PATCH /onboarding/flows/:flowId", {
    ...{ flowId, body: { steps: [{ title: "Only" }], is_active: false } },
  })
  expect(changed).toEqual({ ...flow, steps: [{ title: "Only" }], is_active: false })
  expect(await admin("PATCH /onboarding/flows/:flowId", { flowId, body: {} })).toEqual(changed)

  const answers = { goal: "run", often: 3 }
  const advanced = await client("POST /client/onboarding/:flowId/advance", { flowId, body: { step: 0, answers } })
  expect(advanced).toEqual({ ...started, current_step: 1, answers: { "0": answers } })
  expect(await client("POST /client/onboarding/:flowId/advance", { flowId, body: { step: 0, answers } })).toEqual(
    advanced,
  )
  await client("POST /client/onboarding/:flowId/advance", { flowId, body: { step: 1 } })
  const completed = await client("POST /client/onboarding/:flowId/complete", { flowId })
  expect(completed).toMatchObject({ status: "completed", current_step: 2, completed_at: expect.any(String) })
  expect(await client("POST /client/onboarding/:flowId/complete", { flowId })).toEqual(completed)
  expect(await client("GET /client/onboarding/flows")).toMatchObject([{ id: flowId, progress: completed }])

  const other = await admin("POST /onboarding/flows", { body: { name: "Tips", steps: [{}], is_active: true } })
  await client("POST /client/onboarding/:flowId/start", { flowId: other["id"] })
  const skipped = await client("POST /client/onboarding/:flowId/skip", { flowId: other["id"] })
  expect(skipped).toMatchObject({ status: "skipped", current_step: 0, skipped_at: expect.any(String) })

  const zero = { total_started: 1, total_completed: 0, total_skipped: 0, completion_rate: 0 }
  expect(await admin("GET /onboarding/stats")).toEqual([
    {
      ...{ ...zero, flow_id: flowId, flow_name: "Welcome", total_completed: 1, completion_rate: 1 },
      steps: [{ step: 0, reached: 1 }],
    },
    {
      ...{ ...zero, flow_id: other["id"], flow_name: "Tips", total_skipped: 1 },
      steps: [{ step: 0, reached: 1 }],
    },
  ])
  const events = await admin<ReadonlyArray<{ event_name: string }>>("GET /users/:userId/events", { userId })
  expect(events.filter(({ event_name }) => event_name.startsWith("onboarding_"))).toHaveLength(6)
  const bundle = await admin<string>("GET /users/:userId/export", { userId })
  expect(bundle.match(/"section":"onboarding_progress"/g)).toHaveLength(2)

  await admin("DELETE /onboarding/flows/:flowId", { flowId })
  expect(await admin("GET /onboarding/flows", { projectId })).toMatchObject([{ id: other["id"] }])
  expect(await client("GET /client/onboarding/flows")).toMatchObject([{ id: other["id"] }])
}

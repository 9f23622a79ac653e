import { expect } from "vitest"
import type { Tour } from "../harness/tour.ts"

/** A call that is refused, and the log of it. */
export const tour: Tour = async ({ admin, fetch, projectId }) => {
  const refused = await fetch(`/v1/admin/projects/${projectId}/streaks`, { headers: { "x-request-id": "tour-1" } })
  expect(refused.status).toBe(401)
  const path = "/v1/admin/projects/:projectId/streaks"
  expect(await admin("GET /refusals", { query: "code=UNAUTHORIZED&status=401" })).toMatchObject([
    { caller: "unknown", method: "GET", path, count: 1, request_id: "tour-1", what_to_do: expect.any(String) },
  ])
}

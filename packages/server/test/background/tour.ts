import { randomUUID } from "node:crypto"
import { expect } from "vitest"
import type { Tour } from "../harness/tour.ts"

/** What could not be handled: the letter is put there by hand, since nothing fails here. */
export const tour: Tour = async ({ admin, projectId, userId, sql }) => {
  const id = randomUUID()
  await sql.rows(
    projectId,
    `insert into outbox_dead (id, topic, payload, app_user_id, reaction, error, status, tries, first_failed_at)
     values ($1, 'a.topic', '{"definition_id": "one"}', $2, 'a.topic', 'Error: broken', 'dead', 5, now())`,
    [id, userId],
  )
  const waiting = { waiting: expect.any(Number), lag_seconds: expect.any(Number) }
  expect(await admin("GET /background")).toMatchObject(waiting)
  expect(await admin("GET /background/dead")).toMatchObject([{ id, event_id: null, topic: "a.topic", status: "dead" }])
  const content = { id, event: null, payload: { definition_id: "one" }, next_try_at: null }
  expect(await admin("GET /background/dead/:id", { id })).toMatchObject(content)
  expect(await admin("POST /background/dead/:id/retry", { id })).toMatchObject({ status: "retrying", tries: 0 })
  expect(await admin("POST /background/dead/retry", { body: { reaction: "a.topic" } })).toEqual({ retrying: 1 })
  expect(await admin("DELETE /background/dead/:id", { id })).toEqual({ deleted: true })
}

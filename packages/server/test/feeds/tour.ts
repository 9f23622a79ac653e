import { randomUUID } from "node:crypto"
import { expect } from "vitest"
import type { Tour } from "../harness/tour.ts"

interface Item {
  readonly id: string
}

/** Rules of the feed, and the items that they make, as developers and users read them. */
export const tour: Tour = async ({ admin, client, projectId, userId, sql }) => {
  const fields = { source_event: "book_read", action: "read", target_type: "book" }
  const rule = await admin("POST /feeds/rules", { body: fields })
  expect(rule).toEqual({ ...fields, id: expect.any(String), is_active: true, created_at: expect.any(String) })
  const ruleId = rule["id"]
  expect(await admin("GET /feeds/rules")).toEqual([rule])
  const changed = await admin("PATCH /feeds/rules/:ruleId", { ruleId, body: { action: "has read" } })
  expect(changed).toEqual({ ...rule, action: "has read" })

  // As the worker would have made them.
  const ids = [randomUUID(), randomUUID()]
  await sql.rows(
    projectId,
    `insert into feed_items (id, event_id, rule_id, actor_id, action, target_id, created_at)
     select id, gen_random_uuid(), $2, $3, 'has read', 'book-1', now() from unnest($1::uuid[]) as given (id)`,
    [ids, ruleId, userId],
  )
  const items = await admin<ReadonlyArray<Item>>("GET /feeds/items", { query: "action=has%20read" })
  expect(items).toHaveLength(2)
  expect(items[0]).toEqual({
    ...{ id: expect.any(String), actor_id: userId, action: "has read", target_id: "book-1" },
    created_at: expect.any(String),
    actor: { id: userId, display_name: expect.any(String), avatar_url: null },
  })
  expect(await client("GET /client/feed", { query: "scope=mine" })).toEqual(items)
  await admin("DELETE /feeds/items/:itemId", { itemId: items[0]?.id })
  expect(await client("GET /client/feed")).toEqual(items.slice(1))

  await admin("DELETE /feeds/rules/:ruleId", { ruleId })
  expect(await admin("GET /feeds/rules")).toEqual([])
}

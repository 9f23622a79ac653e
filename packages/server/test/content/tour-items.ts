import { expect } from "vitest"
import type { TourTools } from "../harness/tour.ts"

type Rows = ReadonlyArray<Record<string, unknown>>

/** Libraries and items. Answers the id of a library that has some. */
export const tourItems = async ({ admin, client, userId }: TourTools): Promise<unknown> => {
  const library = await admin("POST /content/libraries", { body: { name: "Tips", description: "Daily" } })
  expect(library).toMatchObject({ name: "Tips", description: "Daily", content_schema: null })
  const libraryId = library["id"]
  const changed = await admin("PATCH /content/libraries/:libraryId", { libraryId, body: { content_schema: { a: 1 } } })
  expect(changed).toEqual({ ...library, content_schema: { a: 1 } })

  const items = [{ body: "One" }, { body: "Two", title: "Second", is_premium: true }]
  const [one] = await admin<Rows>("POST /content/libraries/:libraryId/items", { libraryId, body: { items } })
  expect(one).toMatchObject({ body: "One", sort_order: 1, is_active: true, owner_app_user_id: null })
  const bulk = { items: [{ body: "Three", category: "c" }] }
  expect(await admin("POST /content/libraries/:libraryId/bulk", { libraryId, body: bulk })).toEqual({ imported: 1 })
  const itemId = one?.["id"]
  expect(await admin("PATCH /content/items/:itemId", { itemId, body: { sort_order: 9 } })).toMatchObject({
    ...{ body: "One", sort_order: 9 },
  })
  const bodies = (rows: Rows) => rows.map(({ body }) => body)
  expect(bodies(await admin<Rows>("GET /content/libraries/:libraryId/items", { libraryId }))).toEqual([
    ...["Two", "Three", "One"],
  ])

  // What users see and write.
  const written = await client("POST /client/content/libraries/:libraryId/items", { libraryId, body: { body: "Mine" } })
  expect(written).toMatchObject({ body: "Mine", sort_order: 10, owner_app_user_id: userId, is_premium: false })
  const own = { itemId: written["id"] }
  expect(await client("PATCH /client/content/items/:itemId", { ...own, body: { title: "T" } })).toMatchObject({
    ...{ title: "T", body: "Mine" },
  })
  expect(await client("GET /client/content/items/:itemId", own)).toMatchObject({ title: "T" })
  const read = async (query = "") =>
    bodies(await client<Rows>("GET /client/content/libraries/:libraryId", { libraryId, query }))
  expect([await read(), await read("category=c")]).toEqual([["Two", "Three", "One", "Mine"], ["Three"]])
  await client("DELETE /client/content/items/:itemId", own)
  await admin("DELETE /content/items/:itemId", { itemId })
  expect(await read()).toEqual(["Two", "Three"])
  expect(await admin("GET /content/libraries")).toMatchObject([{ id: libraryId, item_count: 2 }])
  return libraryId
}

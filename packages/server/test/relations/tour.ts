import { expect } from "vitest"
import { writePeople } from "../harness/people.ts"
import type { Tour } from "../harness/tour.ts"

/** A user follows two others, blocks one of them, and ends both. */
export const tour: Tour = async ({ client, sql, projectId }) => {
  const [ada = "", bob = ""] = await writePeople(sql, projectId, "Ada", "Bob")
  const person = { id: ada, display_name: "Ada", avatar_url: null, created_at: expect.any(String) }
  const followed = await client("POST /client/follows/:userId", { userId: ada })
  expect(followed).toEqual(person)
  expect(await client("POST /client/follows/:userId", { userId: ada })).toEqual(followed)
  await client("POST /client/follows/:userId", { userId: bob })
  expect(await client("GET /client/follows")).toMatchObject([{ id: bob }, { id: ada }])
  expect(await client("GET /client/follows", { query: "direction=followers" })).toEqual([])

  const blocked = await client("POST /client/blocks/:userId", { userId: ada })
  expect(blocked).toEqual(person)
  expect(await client("POST /client/blocks/:userId", { userId: ada })).toEqual(blocked)
  expect(await client("GET /client/blocks")).toEqual([blocked])
  expect(await client("GET /client/follows")).toMatchObject([{ id: bob }])

  await client("DELETE /client/blocks/:userId", { userId: ada })
  await client("DELETE /client/follows/:userId", { userId: bob })
  expect([await client("GET /client/blocks"), await client("GET /client/follows")]).toEqual([[], []])
}

import { randomInt, randomUUID } from "node:crypto"
import type { Api } from "../harness/api.ts"
import { aUser, type TestProject } from "../harness/fixtures.ts"
import type { Sql } from "../harness/sql.ts"

interface Row {
  readonly id: string
}

interface Item {
  readonly avg_rating: number | null
  readonly review_count: number
  readonly rating_sum: number
}

const recount = `
  select i.avg_rating, i.review_count, i.rating_sum, (
    select jsonb_build_object(
      'avg_rating', round(avg(rating), 2)::float8, 'review_count', count(*), 'rating_sum', coalesce(sum(rating), 0)
    ) from reviews r where r.reviewable_item_id = i.id and r.is_approved and r.moderation = 'shown'
  ) as counted
  from reviewable_items i where i.item_type = 'raced' and i.item_id = $1`

/**
 * Races for one item, over several API processes: whatever users and developers do to its reviews at once, its count and average
 * are those of the approved ones. Each is run once per call and answers what should not be.
 */
export const makeReviewRaces = (apis: readonly [Api, Api], project: TestProject, sql: Sql) => {
  const { admin, owner } = project
  const api = (turn: number) => apis[turn % 2 === 0 ? 0 : 1]
  const someRating = () => randomInt(1, 6)
  return {
    "reviews of one item": async (): Promise<ReadonlyArray<string>> => {
      const item = { item_type: "raced", item_id: randomUUID() }
      const users = await Promise.all(Array.from({ length: 20 }, () => aUser(apis[0], project)))
      const written = await Promise.all(
        users.map(({ as }, turn) =>
          api(turn).call<Row>("POST", "/client/reviews", as, { ...item, rating: someRating() }),
        ),
      )
      const review = (turn: number) => `/reviews/${written[turn]?.data.id}`
      const approve = (turn: number, is_approved: boolean) =>
        api(turn + 1).call("PATCH", `${admin}${review(turn)}`, owner.as, { is_approved })
      const changes = await Promise.all(
        users.flatMap(({ as }, turn) => [
          approve(turn, true),
          api(turn).call("PATCH", `/client${review(turn)}`, as, { rating: someRating() }),
          approve(turn, turn % 3 > 0),
          ...(turn % 5 === 0 ? [api(turn).call("DELETE", `/client${review(turn)}`, as)] : []),
          ...(turn % 5 === 1 ? [api(turn).call("DELETE", `${admin}${review(turn)}`, owner.as)] : []),
          ...(turn % 5 === 2 ? [api(turn).call("DELETE", "/client/users/me", as)] : []),
        ]),
      )
      const odd = [
        ...written.filter(({ status }) => status !== 201),
        // A review or its author may be gone by then.
        ...changes.filter(({ status }) => ![200, 401, 404].includes(status)),
      ]
      const [found] = await sql.rows<Item & { readonly counted: Item }>(project.id, recount, [item.item_id])
      if (found === undefined) return ["the item is gone"]
      const { counted, ...stored } = found
      const isEqual =
        JSON.stringify(Object.values(stored)) ===
        JSON.stringify([counted.avg_rating, counted.review_count, counted.rating_sum])
      return [
        ...odd.map(({ status, text }) => `${status}: ${text}`),
        ...(isEqual ? [] : [`${JSON.stringify(stored)} is stored, ${JSON.stringify(counted)} counted`]),
      ]
    },
    "first reviews": async (): Promise<ReadonlyArray<string>> => {
      const item = { item_type: "raced", item_id: randomUUID(), rating: 5 }
      const users = await Promise.all(Array.from({ length: 5 }, () => aUser(apis[0], project)))
      const answers = await Promise.all(
        users.flatMap(({ as }) => [0, 1, 2, 3].map((turn) => api(turn).call<Row>("POST", "/client/reviews", as, item))),
      )
      const statuses = answers.map(({ status }) => status).toSorted()
      const expected = [...Array(5).fill(201), ...Array(15).fill(409)]
      const items = await sql.rows(project.id, recount, [item.item_id])
      return [
        ...(statuses.join() === expected.join() ? [] : [`${statuses.join()} instead of one review per user`]),
        ...(items.length === 1 ? [] : [`${items.length} items are made`]),
      ]
    },
  }
}

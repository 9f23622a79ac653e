import { anEvent, testWorld } from "@hearth/testing"
import { Effect } from "effect"
import { describe, expect, it, test } from "vitest"

const noon = new Date("2026-03-01T12:00:00.000Z")
const hours = (count: number) => new Date(noon.getTime() + count * 3_600_000)

const setUp = async () => {
  const world = testWorld({ startAt: noon })
  const { projectId } = await world.aProjectWithOwner()
  const { userId } = await world.aSignedInUser(projectId)
  const { events } = world.core
  return {
    world,
    projectId,
    userId,
    /** Writes an event so many hours from now. */
    write: (...ages: ReadonlyArray<number>) => {
      const written = ages.map((age) =>
        anEvent({ app_user_id: userId, occurred_at: hours(age), event_name: `at ${age}` }),
      )
      return world.run(world.tenants.read(projectId, (db) => db.events.insert(written, { enqueue: false })))
    },
    tail: async (query: Partial<Parameters<typeof events.tail>[1]> = {}) =>
      world.run(events.tail(projectId, { limit: 100, ...query })),
    count: async (query: Parameters<typeof events.count>[1]) => world.run(events.count(projectId, query)),
    refused: async (query: Parameters<typeof events.count>[1]) =>
      world.run(Effect.flip(events.count(projectId, query))),
  }
}

const names = ({ data }: { readonly data: ReadonlyArray<{ readonly event_name: string }> }) =>
  data.map(({ event_name }) => event_name)

describe("the tail of the log", () => {
  it("is of the last 24 hours, without an upper bound, the newest first", async () => {
    const { write, tail } = await setUp()
    await write(-25, -24, -1, 23)
    expect(await tail()).toMatchObject({ next_cursor: null })
    expect(names(await tail())).toEqual(["at 23", "at -1", "at -24"])
    expect(names(await tail({ until: noon }))).toEqual(["at -1", "at -24"])
    expect(names(await tail({ since: hours(-30) }))).toContain("at -25")
  })

  it("is empty when its end is before its beginning", async () => {
    const { write, tail } = await setUp()
    await write(-1)
    expect(await tail({ since: noon, until: hours(-2) })).toEqual({ data: [], next_cursor: null })
  })

  it("has a cursor only when the page is full, and continues there without gap or repeat", async () => {
    const { write, tail } = await setUp()
    await write(-1, -2, -2, -2, -3, -4)
    const first = await tail({ limit: 3 })
    expect(first.next_cursor).toMatchObject({ id: first.data[2]?.id })
    await write(-0.5)
    const second = await tail({ limit: 3, ...(first.next_cursor && { cursor: first.next_cursor }) })
    expect(second.next_cursor).not.toBeNull()
    const third = await tail({ limit: 3, ...(second.next_cursor && { cursor: second.next_cursor }) })
    expect(third).toEqual({ data: [], next_cursor: null })
    expect([...names(first), ...names(second)]).toEqual(["at -1", "at -2", "at -2", "at -2", "at -3", "at -4"])
  })

  it("can be filtered by user and by name", async () => {
    const { world, projectId, userId, write, tail } = await setUp()
    const other = await world.aSignedInUser(projectId)
    await write(-1, -2)
    expect(names(await tail({ event_name: "at -2" }))).toEqual(["at -2"])
    expect(names(await tail({ user_id: userId }))).toHaveLength(2)
    expect(names(await tail({ user_id: other.userId }))).toEqual([])
    expect(await world.run(world.core.events.ofUser(projectId, userId, { limit: 1, offset: 1 }))).toMatchObject({
      rows: [{ event_name: "at -2" }],
      total: 2,
    })
  })
})

describe("counting events", () => {
  it("goes up to now, or up to an exclusive end", async () => {
    const { write, count } = await setUp()
    await write(-48, -24, -1, 1)
    expect(await count({ since: hours(-48) })).toEqual({ total: 3 })
    expect(await count({ since: hours(-48), until: hours(-1) })).toEqual({ total: 2 })
    expect(await count({ since: hours(-48), event_name: "at -1" })).toEqual({ total: 1 })
    expect(await count({ since: noon, until: noon })).toEqual({ total: 0 })
  })

  it("has the buckets that were asked for, and their sum", async () => {
    const { write, count } = await setUp()
    await write(-48, -24, -1, -1)
    const days = [
      { key: "2026-02-27", count: 1 },
      { key: "2026-02-28", count: 1 },
      { key: "2026-03-01", count: 2 },
    ]
    expect(await count({ since: hours(-48), group_by: "day" })).toEqual({ total: 4, buckets: days })
    const { buckets } = await count({ since: hours(-48), group_by: "event_name" })
    expect(buckets?.[0]).toEqual({ key: "at -1", count: 2 })
    expect(await count({ since: noon, group_by: "day" })).toEqual({ total: 0, buckets: [] })
  })

  const days = (count: number) => count * 24
  test.each([
    ["without a beginning", {}, { code: "MISSING_SINCE" }],
    ["that ends before it begins", { since: noon, until: hours(-0.001) }, { code: "INVALID_RANGE" }],
    ["that begins after now", { since: hours(1) }, { code: "INVALID_RANGE" }],
    [
      "of more than 90 days",
      { since: hours(-days(90) - 0.001), until: noon },
      { code: "RANGE_TOO_LARGE", details: { max_days: 90, requested_days: 91 } },
    ],
    [
      "of more than 90 days until now",
      { since: hours(-days(91)) },
      { code: "RANGE_TOO_LARGE", details: { max_days: 90, requested_days: 91 } },
    ],
    [
      "of far too many days",
      { since: hours(-days(400)), until: hours(0.5) },
      { code: "RANGE_TOO_LARGE", details: { max_days: 90, requested_days: 401 } },
    ],
  ])("is refused for a range %s", async (_, query, refusal) => {
    const { refused } = await setUp()
    expect(await refused(query)).toMatchObject({ kind: "invalid", ...refusal })
  })

  it("takes 90 days", async () => {
    const { count } = await setUp()
    expect(await count({ since: hours(-days(90)), until: noon })).toEqual({ total: 0 })
    // A caller who asks for the last 90 days has looked at the clock a moment before.
    expect(await count({ since: hours(-days(90) - 0.001) })).toEqual({ total: 0 })
  })
})

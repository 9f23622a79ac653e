import { Result, Schema } from "effect"
import { describe, expect, test } from "vitest"
import {
  ClientItemChanges,
  ContentImport,
  ContentItemChanges,
  NewClientItem,
  NewContentItem,
  NewContentItems,
} from "./item.ts"

const accepts = <S extends Schema.Codec<unknown, unknown>>(schema: S, value: unknown) =>
  Result.isSuccess(Schema.decodeUnknownResult(schema)(value))

const schemas = {
  "a developer's item": [NewContentItem, ContentItemChanges],
  "a user's item": [NewClientItem, ClientItemChanges],
} as const

describe.each(Object.entries(schemas))("%s", (_, [item, changes]) => {
  test.each([
    ["title", "t".repeat(500)],
    ["title", ""],
    ["title", null],
    ["body", "b"],
    ["body", "b".repeat(20_000)],
    ["media_url", `https://a.example/${"m".repeat(2_030)}`],
    ["media_url", null],
    ["category", null],
    ["category", "c".repeat(255)],
    ["tags", []],
    ["tags", Array(50).fill("t".repeat(255))],
    ["metadata", { a: { b: [1, null] } }],
  ])("may have %s %j [I1.1]", (name, value) => {
    expect(accepts(item, { body: "b", [name]: value })).toBe(true)
    expect(accepts(changes, { [name]: value })).toBe(true)
  })

  test.each([
    ["title", "t".repeat(501)],
    ["title", 1],
    ["title", "\u0000"],
    ["body", ""],
    ["body", null],
    ["body", "b".repeat(100_001)],
    ["body", "\ud800"],
    ["media_url", ""],
    ["media_url", "m".repeat(2_049)],
    ["category", 1],
    ["category", "c".repeat(256)],
    ["tags", null],
    ["tags", "t"],
    ["tags", [1]],
    ["tags", Array(51).fill("t")],
    ["metadata", null],
    ["metadata", []],
  ])("may not have %s %j [I1.1]", (name, value) => {
    expect(accepts(item, { body: "b", [name]: value })).toBe(false)
    expect(accepts(changes, { [name]: value })).toBe(false)
  })

  test("needs a body when it is made", () => {
    expect([accepts(item, {}), accepts(item, { body: "b" }), accepts(changes, {})]).toEqual([false, true, true])
  })
})

describe("what only developers may", () => {
  test.each([
    ["a body of 100,000 characters", { body: "b".repeat(100_000) }],
    ["an address that is not of the web", { body: "b", media_url: "asset:1" }],
    ["metadata of more than 16 KB", { body: "b", metadata: { a: "b".repeat(16_384) } }],
  ])("is %s [I0.2, I1.1, I6.1]", (_, value) => {
    expect([accepts(NewContentItem, value), accepts(NewClientItem, value)]).toEqual([true, false])
    expect([accepts(ContentItemChanges, value), accepts(ClientItemChanges, value)]).toEqual([true, false])
  })

  test("is to say what is premium, and where an item is", () => {
    const client = Schema.decodeUnknownSync(NewClientItem)({ body: "b", is_premium: true, is_active: false })
    expect(Object.keys(client).sort()).toEqual(["body", "category", "media_url", "metadata", "tags", "title"])
    const changes = { is_premium: true, sort_order: 3, owner_app_user_id: null, moderation: "shown" }
    expect(Schema.decodeUnknownSync(ClientItemChanges)(changes)).toEqual({})
    expect(Schema.decodeUnknownSync(ContentItemChanges)(changes)).toEqual({ is_premium: true, sort_order: 3 })
  })

  test.each([
    ...[-1_000_000_000, 0, 1_000_000_000].map((value) => [value, true] as const),
    ...[-1_000_000_001, 1_000_000_001, 0.5, "1", null].map((value) => [value, false] as const),
  ])("a sort_order of %j: %j [I1.1]", (sort_order, isAccepted) => {
    expect(accepts(ContentItemChanges, { sort_order })).toBe(isAccepted)
  })

  test.each([
    ["an insert", NewContentItems, 500],
    ["an import", ContentImport, 5_000],
  ] as const)("%s has 1 to so many items [I1.1, E11]", (_, schema, most) => {
    const of = (count: number) => accepts(schema, { items: Array(count).fill({ body: "b" }) })
    expect([of(0), of(1), of(most), of(most + 1)]).toEqual([false, true, true, false])
    expect([{}, { items: null }, { items: {} }, { items: [{}] }].map((body) => accepts(schema, body))).toEqual([
      ...[false, false, false, false],
    ])
  })
})

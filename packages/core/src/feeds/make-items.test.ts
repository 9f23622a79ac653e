import { Result, Schema } from "effect"
import { describe, expect, it, test } from "vitest"
import type { FeedRule } from "./feed-rule.ts"
import { FeedRuleChanges, NewFeedRule } from "./feed-rule.ts"
import { keepGroups, listGroupIds, makeItems, readTarget } from "./make-items.ts"
import { FeedScopeText } from "./scope.ts"

const group = "0190aaaa-bbbb-7ccc-8ddd-eeeeffff0001"
const other = "0190aaaa-bbbb-7ccc-8ddd-eeeeffff0002"
const now = new Date("2026-03-01T12:00:00.000Z")
const earlier = new Date("2026-03-01T11:00:00.000Z")
const later = new Date("2026-03-01T13:00:00.000Z")

const aRule = (given: Partial<FeedRule> = {}): FeedRule => ({
  ...{ id: "rule", source_event: "lesson", action: "learned", target_type: null, is_active: true, created_at: now },
  ...given,
})
const anEvent = (given: object = {}) => ({
  ...{ id: "event", app_user_id: "user", event_name: "lesson", properties: {}, occurred_at: earlier },
  ...given,
})

describe("the target of an item [I3.1]", () => {
  const long = "x".repeat(2_048)
  test.each([
    ["nothing", {}, "post", null],
    ["target_id", { target_id: "a", post_id: "b" }, "post", "a"],
    ["the id of the target type", { post_id: "b" }, "post", "b"],
    ["no other id", { book_id: "b" }, "post", null],
    ["no id without a target type", { post_id: "b", null_id: "c" }, null, null],
    ["text only: the next where target_id is a number", { target_id: 1, post_id: "b" }, "post", "b"],
    ["text only: none where both are something else", { target_id: null, post_id: { a: 1 } }, "post", null],
    ["text that is empty", { target_id: "" }, null, ""],
    ["text of 2,048 characters", { target_id: long }, null, long],
    ["nothing where it is longer", { target_id: `${long}x`, post_id: "b" }, null, null],
    ["the same twice", { target_id: "a" }, "target", "a"],
    ["nothing inherited", {}, "__proto__", null],
  ])("is %s", (_, properties, type, target) => {
    expect(readTarget(properties, type)).toBe(target)
  })
})

describe("items", () => {
  it("are one per event and rule of its name, of its user [I3.1]", () => {
    const rules = [
      aRule(),
      aRule({ id: "second", action: "studied", target_type: "book" }),
      aRule({ source_event: "x" }),
    ]
    const events = [anEvent({ properties: { book_id: "b" } }), anEvent({ id: "none", event_name: "unknown" })]
    const common = { event_id: "event", actor_id: "user", created_at: earlier }
    expect(makeItems(events, rules, now)).toMatchObject([
      { ...common, rule_id: "rule", action: "learned", target_id: null },
      { ...common, rule_id: "second", action: "studied", target_id: "b" },
    ])
  })

  test.each([
    [earlier, earlier],
    [now, now],
    [later, now],
  ])("of an event that occurred at %s have %s: never later than now [I3.1]", (occurred_at, created_at) => {
    expect(makeItems([anEvent({ occurred_at })], [aRule()], now)).toMatchObject([{ created_at }])
  })

  it("keep the groups that there are; a group event keeps its own also where it is gone [I3.1]", () => {
    const make = (event_name: string, properties: object) => {
      const event = anEvent({ event_name, properties })
      const [item] = makeItems([event], [aRule({ source_event: event_name })], now)
      if (item === undefined) throw new Error("There is no item.")
      return item
    }
    const kept = (item: ReturnType<typeof make>, ...known: ReadonlyArray<string>) => {
      const { group_id, target_group_id } = keepGroups(item, new Set(known), "id")
      return [group_id, target_group_id]
    }
    const both = make("lesson", { group_id: group.toUpperCase(), target_id: other })
    expect(listGroupIds([both, both])).toEqual([group, other])
    expect([kept(both, group, other), kept(both, other), kept(both)]).toEqual([
      ...[
        [group, other],
        [null, other],
        [null, null],
      ],
    ])
    for (const name of ["group_created", "group_joined", "group_left"])
      expect(kept(make(name, { group_id: group, target_id: group }))).toEqual([group, null])
    expect(listGroupIds([make("lesson", { group_id: "none", target_id: 7 })])).toEqual([])
  })
})

describe("a rule", () => {
  const rule = { source_event: "lesson", action: "learned" }
  const accepts = (schema: typeof NewFeedRule | typeof FeedRuleChanges, value: unknown) =>
    Result.isSuccess(Schema.decodeUnknownResult(schema as Schema.Codec<unknown>)(value))
  test.each([
    ["no target type", rule, true],
    ["a target type of null", { ...rule, target_type: null }, true],
    [
      "texts of 64 and 255",
      { source_event: "x".repeat(255), action: "y".repeat(64), target_type: "z".repeat(64) },
      true,
    ],
    ["an event of the platform", { ...rule, source_event: "group_joined" }, true],
    ["message_sent", { ...rule, source_event: "message_sent" }, false],
    ["no action", { source_event: "lesson" }, false],
    ["no event", { action: "learned" }, false],
    ["an empty action", { ...rule, action: "" }, false],
    ["an action of 65", { ...rule, action: "x".repeat(65) }, false],
    ["an action of null", { ...rule, action: null }, false],
    ["an empty target type", { ...rule, target_type: "" }, false],
    ["a target type of 65", { ...rule, target_type: "x".repeat(65) }, false],
    ["a target type that is a number", { ...rule, target_type: 1 }, false],
    ["an empty event", { ...rule, source_event: "" }, false],
    ["an event of 256", { ...rule, source_event: "x".repeat(256) }, false],
  ])("with %s: %j [I3.1]", (_, value, isAccepted) => {
    expect(accepts(NewFeedRule, value)).toBe(isAccepted)
    if ("action" in value && "source_event" in value) expect(accepts(FeedRuleChanges, value)).toBe(isAccepted)
  })
})

describe("a scope [I3.2]", () => {
  const decode = Schema.decodeUnknownResult(FeedScopeText)
  test.each(["all", "following", "mine"])("may be %s", (of) => {
    expect(decode(of)).toEqual(Result.succeed({ of }))
    expect(Schema.encodeUnknownSync(FeedScopeText)({ of })).toBe(of)
  })
  it("may be a group", () => {
    const scope = { of: "group", group_id: group }
    expect(decode(`group:${group.toUpperCase()}`)).toEqual(Result.succeed(scope))
    expect(Schema.encodeUnknownSync(FeedScopeText)(scope)).toBe(`group:${group}`)
  })
  test.each(["", "ALL", "all ", "group", "group:", "group:x", `group: ${group}`, `group:${group}x`, group, "of:all"])(
    "may not be %j",
    (text) => expect(Result.isFailure(decode(text))).toBe(true),
  )
})

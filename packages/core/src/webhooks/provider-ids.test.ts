import { describe, expect, it } from "vitest"
import type { JsonObject } from "../schema.ts"
import { listProviderIds } from "./provider-ids.ts"

const ofEvent = (event: JsonObject) => listProviderIds({ provider: "subscription", payload: { event } })
const ofPaywall = (payload: JsonObject) => listProviderIds({ provider: "paywall", payload })

describe("the users whom a webhook names [H2.2]", () => {
  it.each<[string, JsonObject, ReadonlyArray<string>]>([
    [
      "in the order of the look-up, each once",
      {
        original_app_user_id: "first",
        aliases: ["b", "a", "b"],
        app_user_id: "a",
        transferred_from: ["from", "a"],
        transferred_to: ["to"],
      },
      ["a", "b", "first", "to", "from"],
    ],
    ["nobody", {}, []],
    [
      "what is text of 1 to 255 characters, or a number",
      { app_user_id: 7, aliases: ["", null, ["x"], "y"] },
      ["7", "y"],
    ],
    ["nobody whose name is too long", { app_user_id: "x".repeat(256), aliases: ["y".repeat(255)] }, ["y".repeat(255)]],
    ["one alias that is no list", { aliases: "alone" }, ["alone"]],
  ])("of the subscription provider: %s", (_, event, ids) => {
    expect(ofEvent(event)).toEqual(ids)
  })

  it("are at most 1,000", () => {
    const aliases = Array.from({ length: 30_000 }, (_, n) => `alias ${n}`)
    expect(ofEvent({ app_user_id: "me", aliases })).toEqual(["me", ...aliases.slice(0, 999)])
  })

  it.each<[JsonObject, ReadonlyArray<string>]>([
    [{ user_id: "a", data: { originalAppUserId: "b" } }, ["a", "b"]],
    [{ data: { originalAppUserId: "b" } }, ["b"]],
    [{ event: { app_user_id: "c" }, data: [] }, []],
  ])("of the paywall provider: %j", (payload, ids) => {
    expect(ofPaywall(payload)).toEqual(ids)
  })

  it("are nobody where the body is no object", () => {
    expect(listProviderIds({ provider: "subscription", payload: null })).toEqual([])
    expect(listProviderIds({ provider: "subscription", payload: { event: ["app_user_id"] } })).toEqual([])
  })
})

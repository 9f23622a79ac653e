import { describe, expect, it } from "vitest"
import { adoptAliases } from "./aliases.ts"
import { parseEvent } from "./parse-event.ts"
import type { FoldedEvent } from "./provider-event.ts"

let lastId = 0
const event = (owner: string, given: Partial<FoldedEvent> = {}): FoldedEvent => {
  lastId += 1
  const id = `event-${String(lastId).padStart(6, "0")}`
  const fields = { id, type: "RENEWAL", event_timestamp_ms: lastId, app_user_id: "x", expiration_at_ms: null }
  const parsed = parseEvent({ event: fields })
  if (parsed.kind !== "event") throw new Error(JSON.stringify(parsed))
  return { ...parsed.event, entry_id: id, owner, sources: [], ...given }
}
const device = "provider/device"
const owners = (events: ReadonlyArray<FoldedEvent>, gone = "") =>
  adoptAliases(events, (userId) => userId !== gone).map(({ owner, sources }) => [owner, ...sources].join(" < "))

describe("who bought before signing in [H2.2]", () => {
  const ada = event("user/ada", { aliases: [device] })
  const bob = event("user/bob", { aliases: ["provider/other", device] })

  it("is the user of whom another event says so, in whatever order they come", () => {
    const bought = event(device, { aliases: [device] })
    expect(owners([bought, ada])).toEqual(["user/ada", "user/ada"])
    expect(owners([ada, bought])).toEqual(["user/ada", "user/ada"])
  })

  it("is the user of the first event of several, and none who is gone", () => {
    const bought = event(device)
    expect(owners([bob, bought, ada])).toEqual(["user/bob", "user/ada", "user/ada"])
    expect(owners([bob, bought, ada], "ada")).toEqual(["user/bob", "user/bob", "user/ada"])
    expect(owners([bought, ada], "ada")).toEqual([device, "user/ada"])
  })

  it("is from whom a transfer takes that names nothing else", () => {
    const transfer = event("user/bob", { sources: [device, "user/ada", "provider/nobody"] })
    expect(owners([transfer, ada])).toEqual(["user/bob < user/ada < provider/nobody", "user/ada"])
  })

  it("is nobody whom only somebody unknown names, or who shares an alias with a user", () => {
    const events = [event(device), event("provider/unknown", { aliases: [device] })]
    expect(owners(events)).toEqual([device, "provider/unknown"])
    expect(owners([ada, event("provider/new", { aliases: [device] })])).toEqual(["user/ada", "provider/new"])
  })
})

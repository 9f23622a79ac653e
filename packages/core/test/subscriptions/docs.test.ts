import { readFileSync } from "node:fs"
import { join } from "node:path"
import { eventEffects, type FoldedEvent, foldSubscriptions, parseEvent } from "@hearth/core/subscriptions"
import { expect, it, test } from "vitest"

const page = readFileSync(join(import.meta.dirname, "../../../../docs/subscriptions.md"), "utf8")
const start = Date.UTC(2026, 0, 1)
const dayMillis = 86_400_000
const codes = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code)

const readDays = (_: string, value: unknown) => {
  const day = typeof value === "string" ? /^day ([\d.]+)$/.exec(value)?.[1] : undefined
  return day === undefined ? value : start + Number(day) * dayMillis
}

const rows = page
  .slice(page.indexOf("## What events do"), page.indexOf("- **Several subscriptions**"))
  .split("\n")
  .filter((line) => /^\| `[A-Z_]+`/.test(line))
  .map((line) => {
    const [event = "", , running = "", alone = ""] = line.slice(1, -1).split("|")
    const [type = "", ...fields] = codes(event)
    return {
      type,
      fields: JSON.parse(`{${fields.join(", ")}}`, readDays) as object,
      running: running.trim(),
      alone: alone.trim(),
    }
  })

/** What the fold is given for an event; nothing where it is ignored or a test. */
const read = (type: string, day: number, given: object): ReadonlyArray<FoldedEvent> => {
  const parsed = parseEvent({
    event: {
      ...{ id: `${type}-${day}`, type, event_timestamp_ms: start + day * dayMillis, app_user_id: "ada" },
      ...{ product_id: "monthly", entitlement_ids: ["pro"], store: "APP_STORE", period_type: "NORMAL", price: 9.99 },
      ...{ purchased_at_ms: start, expiration_at_ms: start + 30 * dayMillis },
      ...{ transaction_id: "t1", original_transaction_id: "t1", ...given },
    },
  })
  if (parsed.kind === "failed") throw new Error(parsed.reason)
  if (parsed.kind !== "event") return []
  const [owner = ""] = parsed.users.named
  return [{ ...parsed.event, entry_id: parsed.event.id, owner, sources: parsed.users.sources }]
}

const say = (...events: ReadonlyArray<FoldedEvent>) => {
  const { entitlements } = foldSubscriptions(events, new Date(start + 10 * dayMillis))
  const pro = entitlements.find(({ owner, entitlement_id }) => owner === "ada" && entitlement_id === "pro")
  if (pro === undefined) return "–"
  const end = pro.expiration_at === null ? "for ever" : `until day ${(pro.expiration_at - start) / dayMillis}`
  return `${pro.is_active ? "on" : "off"} ${end}`
}

it("docs/subscriptions.md has every type that means something", () => {
  expect(new Set(rows.map(({ type }) => type))).toEqual(
    new Set([
      ...Object.keys(eventEffects),
      ...["SUBSCRIBER_ALIAS", "INVOICE_ISSUANCE", "EXPERIMENT_ENROLLMENT"],
      ...["VIRTUAL_CURRENCY_TRANSACTION", "PURCHASE_REDEEMED"],
    ]),
  )
})

test.each(rows)("docs/subscriptions.md is right about $type $fields [E7]", ({ type, fields, running, alone }) => {
  expect(say(...read("INITIAL_PURCHASE", 0, {}), ...read(type, 1, fields))).toBe(running)
  expect(say(...read(type, 1, fields))).toBe(alone)
})

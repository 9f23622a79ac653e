import { subscriptionSamples } from "@hearth/testing"
import { expect, it, test } from "vitest"
import { subscriptionWorld } from "./world.ts"

/** What each sample leads to when it is the only event, six days after the others were made. */
const expected: Readonly<Record<string, readonly [status: string, rows: ReadonlyArray<string>]>> = {
  "initial-purchase": ["processed", ["reader: on app_store normal"]],
  "initial-purchase-2": ["processed", ["reader: on play_store trial"]],
  renewal: ["processed", ["reader: on app_store normal"]],
  "non-renewing-purchase": ["processed", ["reader: on app_store normal"]],
  "product-change": ["processed", []],
  "cancellation-unsubscribe": ["processed", ["reader: on app_store normal"]],
  "cancellation-unsubscribe-2": ["processed", ["reader: on app_store normal"]],
  "cancellation-customer-support": ["processed", ["reader: off app_store normal"]],
  "billing-issue": ["processed", ["reader: on app_store normal"]],
  uncancellation: ["processed", ["reader: on app_store normal"]],
  "subscription-paused": ["processed", []],
  "subscription-extended": ["processed", ["reader: on app_store normal"]],
  "expiration-unsubscribe": ["processed", ["reader: off app_store normal"]],
  "refund-reversed": ["processed", ["reader: on app_store normal"]],
  "temporary-entitlement-grant": ["processed", []],
  transfer: ["processed", []],
  "invoice-issuance": ["ignored", []],
  "experiment-enrollment": ["ignored", []],
  "virtual-currency-transaction": ["ignored", []],
}

it("there is a sample of each of the 19 kinds of bodies", () => {
  expect([...subscriptionSamples.keys()].toSorted()).toEqual(Object.keys(expected).toSorted())
})

test.each([...subscriptionSamples])("%s is processed as docs/subscriptions.md says [E7]", async (name, event) => {
  const { world, addUser, receive, rows } = await subscriptionWorld()
  const readerId = await addUser({ external_id: "reader-1" })
  // The world begins in March: back to before the end of what was bought.
  world.clock.advance("-49 days")
  const entry = await receive({ ...event, id: `sample-${name}` })
  const said = (await rows(readerId)).map(
    ({ entitlement_id, is_active, store, period_type }) =>
      `${entitlement_id}: ${is_active ? "on" : "off"} ${store} ${period_type}`,
  )
  expect([entry.status, said]).toEqual(expected[name])
  expect(entry.app_user_id).toBe(readerId)
})

it("all samples together end as the last of them says [E7]", async () => {
  const { world, addUser, receive, rows } = await subscriptionWorld()
  const readerId = await addUser({ external_id: "reader-1" })
  await addUser({ external_id: "reader-0" })
  world.clock.advance("-49 days")
  await receive(...[...subscriptionSamples].map(([name, event]) => ({ ...event, id: `sample-${name}` })))
  expect(await rows(readerId)).toMatchObject([{ entitlement_id: "reader", is_active: false }])
  expect(world.deaths).toEqual([])
})

import type { TenantDb } from "@hearth/core"
import type { PushCampaign, PushDelivery, PushToken } from "@hearth/core/push"
import type { UserRow } from "@hearth/core/users"
import { Effect } from "effect"
import { anId } from "../builders.ts"
import type { DatabaseUnderTest } from "../contracts/database-under-test.ts"
import { aUser } from "../users/builders.ts"
import { aPushCampaign, aPushDelivery, aPushToken } from "./builders.ts"

/** A minute of an hour. */
export const minute = (n: number) => new Date(Date.UTC(2026, 2, 1, 12, n))

/** Nothing came of a campaign. */
export const zeros = { sent: 0, delivered: 0, opened: 0, failed: 0, recipients: 0, skipped: 0, unknown: 0 }

const both = ["push_a", "push_b"] as const

/** What suites of deliveries are made of, in a database. */
export const makeFixtures = (db: DatabaseUnderTest<TenantDb>) => {
  const user = async (given: Partial<UserRow> = {}, devices: ReadonlyArray<Partial<PushToken>> = [{}]) => {
    const row = aUser(given)
    const tokens = devices.map((device) => aPushToken({ app_user_id: row.id, ...device }))
    await db.transact((tx) =>
      Effect.orDie(Effect.andThen(tx.users.insert(row), Effect.forEach(tokens, tx.pushTokens.insert))),
    )
    return { row, id: row.id, tokens }
  }
  const campaign = async (given: Partial<PushCampaign> = {}) => {
    const row = aPushCampaign({ status: "sending", ...given })
    await db.transact((tx) => Effect.orDie(tx.pushCampaigns.insert(row)))
    return row.id
  }
  /** A delivery of a campaign to a user's first device. */
  const delivery = async (
    campaign_id: string,
    { id, tokens }: { readonly id: string; readonly tokens: ReadonlyArray<PushToken> },
    given: Partial<PushDelivery> = {},
  ) => {
    const push_token_id = tokens[0]?.id ?? anId()
    const row = aPushDelivery({ campaign_id, app_user_id: id, push_token_id, try_at: minute(0), ...given })
    await db.transact((tx) => Effect.orDie(tx.pushDeliveries.insert(row)))
    return row
  }
  const list = (campaign_id: string) => db.read((tx) => tx.pushDeliveries.list({ campaign_id }, [["id", "asc"]]))
  const claim = (campaignId: string, given: object = {}) =>
    db.transact((tx) =>
      tx.pushDeliveries.claim(campaignId, {
        now: minute(5),
        limit: 10,
        providers: both,
        after: null,
        properties: [],
        ...given,
      }),
    )
  return { user, campaign, delivery, list, claim }
}

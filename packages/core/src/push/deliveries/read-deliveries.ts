import { Effect } from "effect"
import { NotFound } from "../../failure.ts"
import { orFail } from "../../lookup.ts"
import type { Ports } from "../../ports/ports.ts"
import type { Slice } from "../../ports/table.ts"
import type { PushDb } from "../port.ts"
import type { DeliveryStatus, DeliveryView, PushDelivery } from "./delivery.ts"

const view = (row: PushDelivery): DeliveryView => {
  const { id, app_user_id, push_token_id, provider, status, error, sent_at, delivered_at, opened_at } = row
  return { id, app_user_id, push_token_id, provider, status, error, sent_at, delivered_at, opened_at }
}

/** Deliveries as developers see them [H4.4]. */
export const makeReadDeliveries = ({ tenants }: Pick<Ports<PushDb>, "tenants">) => ({
  /** A slice of the deliveries of a campaign, by id; null is every status. */
  list: Effect.fn("push.deliveries")(function* (
    projectId: string,
    campaignId: string,
    status: DeliveryStatus | null,
    slice: Slice,
  ) {
    return yield* tenants.read(projectId, (db) =>
      Effect.gen(function* () {
        yield* orFail(db.pushCampaigns.find({ id: campaignId }), NotFound)
        const where = status === null ? { campaign_id: campaignId } : { campaign_id: campaignId, status }
        const { rows, total } = yield* db.pushDeliveries.page(where, [], slice)
        return { rows: rows.map(view), total }
      }),
    )
  }),
})

import { Effect } from "effect"
import { NotFound } from "../../failure.ts"
import { type IdPosition, type ListQuery, readLargeList } from "../../list-cursor.ts"
import { orFail } from "../../lookup.ts"
import type { Ports } from "../../ports/ports.ts"
import type { PushDb } from "../port.ts"
import type { DeliveryStatus, DeliveryView, PushDelivery } from "./delivery.ts"

const view = (row: PushDelivery): DeliveryView => {
  const { id, app_user_id, push_token_id, provider, status, error, sent_at, delivered_at, opened_at } = row
  return { id, app_user_id, push_token_id, provider, status, error, sent_at, delivered_at, opened_at }
}

/** Deliveries as developers see them [H4.4]. */
export const makeReadDeliveries = ({ tenants }: Pick<Ports<PushDb>, "tenants">) => ({
  /** A page of the deliveries of a campaign, by id; null is every status [H4.4]. `NOT_FOUND` without the campaign. */
  list: Effect.fn("push.deliveries")(function* (
    projectId: string,
    campaignId: string,
    status: DeliveryStatus | null,
    query: ListQuery<IdPosition>,
  ) {
    return yield* tenants.read(projectId, ({ pushCampaigns, pushDeliveries }) =>
      Effect.gen(function* () {
        yield* orFail(pushCampaigns.find({ id: campaignId }), NotFound)
        const where = status === null ? { campaign_id: campaignId } : { campaign_id: campaignId, status }
        const { rows, ...page } = yield* readLargeList(query, {
          page: (slice) => pushDeliveries.page(where, [], slice),
          after: ({ id }, slice) => pushDeliveries.listAfter(where, [], { id }, slice),
          place: ({ id }) => ({ id }),
        })
        return { rows: rows.map(view), ...page }
      }),
    )
  }),
})

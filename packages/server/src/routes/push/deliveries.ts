import { IdCursor, InvalidInput, InvalidToken, NotFound } from "@hearth/core"
import { InvalidCursor } from "@hearth/core/events"
import { DeliveryStatus, DeliveryView, PushReceipt, ReceiptAnswer } from "@hearth/core/push"
import { Schema } from "effect"
import { paging, readsOn } from "../../http/request/query.ts"
import { listPageOf, ok } from "../../http/response/answers.ts"
import { route } from "../route.ts"

/** Decisions D and H4.4: what became of pushes. */
export const pushDeliveryRoutes = [
  route("POST", "/client/push/receipts", {
    id: "client.push.receipts.report",
    summary: "Reports that a push was delivered to the caller, or opened; the first time counts",
    description: "The id is in the payload of the push. This is how `delivered` and `opened` are counted.",
    access: "client",
    body: PushReceipt,
    errors: [InvalidInput, InvalidToken, NotFound],
    returns: ok(ReceiptAnswer),
    run: ({ core, caller, body }) => core.pushReceipts.receive(caller.project_id, caller.user_id, body),
  }),
  route("GET", "/admin/projects/:projectId/push/campaigns/:campaignId/deliveries", {
    id: "push.campaigns.deliveries.list",
    summary: "Lists the pushes of a campaign to single devices, those that were planned first coming first",
    description:
      "What became of each: the provider's reason where it failed. With `cursor=start`, and the `next_cursor` of each answer from then on, it is read to its end, however long it is.",
    access: "developer",
    query: { ...paging(), status: Schema.optionalKey(DeliveryStatus), ...readsOn(IdCursor) },
    malformed: { cursor: InvalidCursor },
    errors: [NotFound],
    returns: listPageOf(DeliveryView, IdCursor),
    run: ({ core, params, query: { status, ...query } }) =>
      core.pushDeliveries.list(params.projectId, params.campaignId, status, query),
  }),
]

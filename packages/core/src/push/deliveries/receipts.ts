import { Effect, Option } from "effect"
import type { Dispatcher } from "../../background/dispatcher.ts"
import type { BackgroundDb } from "../../background/port.ts"
import type { EventsDb } from "../../events/port.ts"
import { InvalidToken, NotFound } from "../../failure.ts"
import { orFail } from "../../lookup.ts"
import type { Ports } from "../../ports/ports.ts"
import type { UsersDb } from "../../users/port.ts"
import type { PushDb } from "../port.ts"
import type { PushReceipt, ReceiptAnswer } from "./delivery.ts"

type ReceiptsDb = BackgroundDb & EventsDb & PushDb & UsersDb

/** Receipts of apps for pushes that they were sent [H4.4]. */
export const makePushReceipts = (
  { clock, ids }: Pick<Ports, "clock" | "ids">,
  background: Pick<Dispatcher<ReceiptsDb>, "transact">,
) => ({
  /**
   * Notes that a push was delivered or opened; the first time counts, and writes `push_opened` of one that was opened [H4.7]. `NOT_FOUND`
   * where the user has no such delivery; `INVALID_TOKEN` for a user who is gone.
   */
  receive: Effect.fn("push.receive")(function* (projectId: string, userId: string, receipt: PushReceipt) {
    return yield* background.transact(projectId, (db) =>
      Effect.gen(function* () {
        yield* orFail(db.users.lock(userId, "key share"), InvalidToken)
        const now = clock.now()
        const received = Option.getOrNull(yield* db.pushDeliveries.receive(userId, receipt, now))
        if (received === null) return yield* new NotFound()
        const { id, campaign_id, delivered_at, opened_at, is_new_delivered, is_new_opened } = received
        const changes = { delivered: is_new_delivered ? 1 : 0, opened: is_new_opened ? 1 : 0 }
        if (is_new_opened) {
          const event = { id: ids.uuid(), app_user_id: userId, event_name: "push_opened", occurred_at: now }
          const properties = { campaign_id, delivery_id: id }
          yield* db.events.insertCaused([{ ...event, properties, cause_key: `push/${id}/push_opened` }])
        }
        if (is_new_delivered || is_new_opened) yield* db.pushStats.add(campaign_id, changes)
        return { delivery_id: id, delivered_at, opened_at } satisfies ReceiptAnswer
      }),
    )
  }),
})

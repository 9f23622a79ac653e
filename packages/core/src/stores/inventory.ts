import { Effect } from "effect"
import type { Dispatcher } from "../background/dispatcher.ts"
import type { BackgroundDb } from "../background/port.ts"
import { lockPurses } from "../currencies/change-wallets.ts"
import type { CurrenciesDb } from "../currencies/port.ts"
import type { EventsDb } from "../events/port.ts"
import { InvalidToken, NotFound } from "../failure.ts"
import { answerOnce } from "../idempotency/answer-once.ts"
import type { IdempotencyDb } from "../idempotency/port.ts"
import { orFail } from "../lookup.ts"
import type { Ports } from "../ports/ports.ts"
import type { Slice } from "../ports/table.ts"
import { UserNotFound } from "../users/failures.ts"
import type { UsersDb } from "../users/port.ts"
import { InventoryItem } from "./inventory-item.ts"
import type { StoresDb } from "./port.ts"
import type { ConsumeRequest } from "./purchase.ts"
import { takeItems } from "./take-items.ts"

type InventoryDb = BackgroundDb & CurrenciesDb & EventsDb & IdempotencyDb & StoresDb & UsersDb

/** What users own, and how they use it up [G6.6]. */
export const makeInventory = (
  { clock, ids, tenants }: Pick<Ports<InventoryDb>, "clock" | "ids" | "tenants">,
  background: Pick<Dispatcher<InventoryDb>, "transact">,
) => {
  const consume = Effect.fnUntraced(function* (
    db: InventoryDb,
    app_user_id: string,
    catalog_item_id: string,
    quantity: number,
  ) {
    const known = yield* lockPurses(db, [app_user_id])
    if (known.size === 0) return yield* new InvalidToken()
    const now = clock.now()
    const owned = yield* orFail(db.inventory.find({ app_user_id, catalog_item_id }), NotFound)
    const { key, name, icon_url, item_type } = yield* orFail(db.catalogItems.find({ id: catalog_item_id }), NotFound)
    const left = yield* takeItems(db, owned, quantity, now)
    const consumed = { app_user_id, event_name: "item_consumed", occurred_at: now }
    const id = ids.uuid()
    yield* db.events.insertCaused([
      {
        ...{ ...consumed, id, cause_key: `stores/${id}/item_consumed` },
        properties: { catalog_item_id, key, quantity },
      },
    ])
    return { catalog_item_id, key, name, icon_url, item_type, quantity: left, acquired_at: owned.acquired_at }
  })

  return {
    /** What the user owns, the last acquired first [G6.6]. */
    own: (projectId: string, userId: string, slice: Slice) =>
      tenants.read(projectId, (db) => db.inventory.pageOfUser(userId, slice)),

    /** What a user owns, for developers, what was acquired last first [G6.6]. `USER_NOT_FOUND`. */
    ofUser: Effect.fn("inventory.ofUser")((projectId: string, userId: string, slice: Slice) =>
      tenants.read(
        projectId,
        Effect.fnUntraced(function* (db) {
          yield* orFail(db.users.find({ id: userId }), UserNotFound)
          return yield* db.inventory.pageOfUser(userId, slice)
        }),
      ),
    ),

    /**
     * Uses items up, once by the key. Answers how many are left, 0 where they are used up [G6.6]. `NOT_FOUND` where the user has none;
     * `INSUFFICIENT_QUANTITY`; `IDEMPOTENCY_KEY_REUSED` with another input [E5]; `INVALID_TOKEN` for a user who is gone.
     */
    consume: Effect.fn("inventory.consume")(
      (projectId: string, userId: string, itemId: string, { quantity, idempotency_key }: ConsumeRequest) =>
        background.transact(projectId, (db) =>
          answerOnce(
            db,
            {
              ...{ operation: "inventory.consume", caller: userId, owner: userId, key: idempotency_key ?? null },
              ...{ input: { catalog_item_id: itemId, quantity }, answer: InventoryItem, now: clock.now() },
            },
            consume(db, userId, itemId, quantity),
          ),
        ),
    ),
  }
}

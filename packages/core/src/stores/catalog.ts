import { Effect, Option } from "effect"
import type { CurrenciesDb } from "../currencies/port.ts"
import { NotFound } from "../failure.ts"
import { orFail } from "../lookup.ts"
import type { Ports } from "../ports/ports.ts"
import type { Slice } from "../ports/table.ts"
import { checkReward } from "../rewards/check-reward.ts"
import { parseReward, tellOfReward } from "../rewards/reward.ts"
import type { JsonObject } from "../schema.ts"
import {
  type CatalogItem,
  type CatalogItemChanges,
  ItemInUse,
  ItemKeyExists,
  type NewCatalogItem,
} from "./catalog-item.ts"
import type { StoresDb } from "./port.ts"
import { readPrices } from "./prices.ts"

/** A query of the catalog. */
export interface CatalogQuery extends Slice {
  readonly item_type?: string
}

type CatalogDb = CurrenciesDb & StoresDb

const tellOfContents = tellOfReward("contents")

/** The contents as they are stored, which is as they were sent, and a check of what they name [G5.1]. */
const readContents = Effect.fnUntraced(function* (contents: unknown) {
  if (contents === null) return { contents: null, check: () => Effect.void }
  const parts = yield* Effect.mapError(Effect.fromResult(parseReward(contents)), tellOfContents)
  const check = (db: CatalogDb) => Effect.mapError(checkReward(db, parts), tellOfContents)
  return { contents: contents as JsonObject, check }
})

/** What users of a project can own [G6.1]. */
export const makeCatalog = ({ clock, ids, tenants }: Pick<Ports<CatalogDb>, "clock" | "ids" | "tenants">) => ({
  /**
   * Makes an item that can be owned, with prices in units of currencies (strings of decimals) [G6.1]. `KEY_EXISTS`;
   * `INVALID_AMOUNT`; `INVALID_REWARD`.
   */
  create: Effect.fn("catalog.create")(function* (projectId: string, input: NewCatalogItem) {
    const prices = yield* readPrices(input.prices, "prices")
    const { contents, check } = yield* readContents(input.contents)
    const item: CatalogItem = { ...input, id: ids.uuid(), prices, contents, created_at: clock.now() }
    yield* tenants.transact(
      projectId,
      Effect.fnUntraced(function* (db) {
        yield* check(db)
        yield* Effect.mapError(db.catalogItems.insert(item), () => new ItemKeyExists())
      }),
    )
    return item
  }),

  /** The items that can be owned, the oldest first; of one type, where that is asked for [G6.1]. */
  list: (projectId: string, { item_type, ...slice }: CatalogQuery) =>
    tenants.read(projectId, (db) =>
      db.catalogItems.page(item_type === undefined ? {} : { item_type }, [["created_at", "asc"]], slice),
    ),

  /** Changes the fields that are given [G6.1]. `NOT_FOUND`; `KEY_EXISTS`; `INVALID_AMOUNT`; `INVALID_REWARD`. */
  update: Effect.fn("catalog.update")(function* (
    projectId: string,
    id: string,
    { prices, contents, ...others }: CatalogItemChanges,
  ) {
    const priced = prices === undefined ? {} : { prices: yield* readPrices(prices, "prices") }
    const filled = contents === undefined ? null : yield* readContents(contents)
    return yield* tenants.transact(
      projectId,
      Effect.fnUntraced(function* (db) {
        yield* orFail(db.catalogItems.lock(id), NotFound)
        if (filled !== null) yield* filled.check(db)
        const changes = { ...others, ...priced, ...(filled === null ? {} : { contents: filled.contents }) }
        return yield* orFail(
          Effect.mapError(db.catalogItems.update(id, changes), () => new ItemKeyExists()),
          NotFound,
        )
      }),
    )
  }),

  /** Removes an item that nobody owns, with its listings [G6.1]. `NOT_FOUND`; `ITEM_IN_USE` where somebody does. */
  remove: Effect.fn("catalog.remove")((projectId: string, id: string) =>
    tenants.transact(
      projectId,
      Effect.fnUntraced(function* (db) {
        // Whoever is about to give it to somebody has locked it.
        yield* orFail(db.catalogItems.lock(id, "update"), NotFound)
        if (Option.isSome(yield* db.inventory.find({ catalog_item_id: id }))) return yield* new ItemInUse()
        yield* db.catalogItems.remove({ id })
      }),
    ),
  ),
})

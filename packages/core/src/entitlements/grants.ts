import { Effect, Option } from "effect"
import type { Ids } from "../ports/ids.ts"
import type { Entitlement } from "./entitlement.ts"
import type { EntitlementsDb } from "./port.ts"
import {
  chooseSource,
  type EntitlementContent,
  type EntitlementSource,
  emptyContent,
  extendReward,
  readAdminContent,
  readContent,
} from "./sources.ts"

/** An entitlement of a user with what its sources say. */
interface Held {
  readonly app_user_id: string
  readonly entitlement_id: string
  readonly row: Entitlement | null
  readonly sources: ReadonlyArray<EntitlementSource>
}

/** The part of a reward that is an entitlement: so many days, null is for ever. */
export interface EntitlementDays {
  readonly entitlement_id: string
  readonly days: number | null
}

/**
 * What a developer's first grant begins with: all that was bought or given by a reward, so that a bare refresh does not make it last
 * for ever. An end that has passed is not kept where access is given: it would give none.
 */
const beginGrant = (row: Entitlement | null, isGiven: boolean, now: Date): Omit<EntitlementContent, "is_active"> => {
  if (row === null) return emptyContent
  const isOver = row.expiration_date !== null && row.expiration_date <= now
  return { ...readContent(row), ...(isGiven && isOver && { expiration_date: null }) }
}

/** Writes grants of entitlements, each to its source, and the rows that are made of them. Callers hold the user's purse [G0.5]. */
export const makeGrants = (ids: Pick<Ids, "uuid">) => {
  const read = Effect.fnUntraced(function* (db: EntitlementsDb, app_user_id: string, entitlement_id: string) {
    const row = Option.getOrNull(yield* db.entitlements.find({ app_user_id, entitlement_id }))
    const sources = yield* db.entitlementSources.list({ app_user_id, entitlement_id }, [])
    return { app_user_id, entitlement_id, row, sources } satisfies Held
  })

  /** Writes what a source says, and answers all sources as they are then. */
  const saveSource = Effect.fnUntraced(function* (
    db: EntitlementsDb,
    { app_user_id, entitlement_id, sources }: Held,
    source: EntitlementSource["source"],
    content: EntitlementContent,
    now: Date,
  ) {
    const present = sources.find((each) => each.source === source)
    const saved: EntitlementSource = {
      ...{ ...content, app_user_id, entitlement_id, source },
      ...{ id: present?.id ?? ids.uuid(), updated_at: now },
    }
    if (present === undefined) yield* Effect.orDie(db.entitlementSources.insert(saved))
    else yield* Effect.orDie(db.entitlementSources.update(saved.id, { ...content, updated_at: now }))
    return [...sources.filter((each) => each !== present), saved]
  })

  /** Writes the row: with this content. */
  const saveRow = Effect.fnUntraced(function* (
    db: EntitlementsDb,
    { app_user_id, entitlement_id, row }: Held,
    content: EntitlementContent,
    now: Date,
  ) {
    const saved: Entitlement = { ...content, id: row?.id ?? ids.uuid(), app_user_id, entitlement_id, updated_at: now }
    if (row === null) yield* Effect.orDie(db.entitlements.insert(saved))
    else yield* Effect.orDie(db.entitlements.update(saved.id, { ...content, updated_at: now }))
    return { created: row === null, row: saved }
  })

  const saveChosen = (db: EntitlementsDb, held: Held, sources: ReadonlyArray<EntitlementSource>, now: Date) => {
    const chosen = chooseSource(sources)
    return chosen === null ? Effect.void : Effect.asVoid(saveRow(db, held, readContent(chosen), now))
  }

  /** Gives days of one entitlement. Answers those that were given. */
  const giveDays = Effect.fnUntraced(function* (
    db: EntitlementsDb,
    app_user_id: string,
    { entitlement_id, days: wanted }: EntitlementDays,
    now: Date,
  ) {
    const held = yield* read(db, app_user_id, entitlement_id)
    const admin = readAdminContent(held.row, held.sources)
    // Otherwise what a developer granted would be lost where the reward lasts longer.
    const sources = admin === null ? held.sources : yield* saveSource(db, held, "admin", admin, now)
    const last = sources.find(({ source }) => source === "reward") ?? null
    const { expiration_date, days } = extendReward(last, wanted, now)
    const reward = { ...emptyContent, is_active: true, purchase_date: now, expiration_date }
    yield* saveChosen(db, held, yield* saveSource(db, { ...held, sources }, "reward", reward, now), now)
    return { entitlement_id, days } satisfies EntitlementDays
  })

  return {
    /** Changes what developers granted, and answers the row that comes of it [E7]. */
    changeAdmin: Effect.fnUntraced(function* (
      db: EntitlementsDb,
      app_user_id: string,
      entitlement_id: string,
      changes: Partial<EntitlementContent> & Pick<EntitlementContent, "is_active">,
      now: Date,
    ) {
      const held = yield* read(db, app_user_id, entitlement_id)
      const present = readAdminContent(held.row, held.sources) ?? beginGrant(held.row, changes.is_active, now)
      const content = { ...present, ...changes }
      if (held.sources.length === 0) return yield* saveRow(db, held, content, now)
      const sources = yield* saveSource(db, held, "admin", content, now)
      return yield* saveRow(db, held, readContent(chooseSource(sources) ?? { ...content }), now)
    }),

    /** Gives a user days of entitlements, one after the other. Answers what was given [G5.1]. */
    giveDays: (db: EntitlementsDb, userId: string, parts: ReadonlyArray<EntitlementDays>, now: Date) =>
      Effect.forEach(parts, (part) => giveDays(db, userId, part, now)),
  }
}

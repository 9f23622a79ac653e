import { Effect, Schema, Struct } from "effect"
import type { Dispatcher } from "../background/dispatcher.ts"
import type { BackgroundDb } from "../background/port.ts"
import type { EventsDb } from "../events/port.ts"
import { InvalidAmount, InvalidToken } from "../failure.ts"
import { answerOnce } from "../idempotency/answer-once.ts"
import type { IdempotencyDb } from "../idempotency/port.ts"
import { orFail } from "../lookup.ts"
import { readByUseCase } from "../own-issues.ts"
import type { Ports } from "../ports/ports.ts"
import { Prose } from "../schema.ts"
import { UserNotFound } from "../users/failures.ts"
import type { UsersDb } from "../users/port.ts"
import { makeAwardXp } from "./award-xp.ts"
import { maxXpAmount, XpEntry } from "./entry.ts"
import type { XpDb } from "./port.ts"
import type { XpLevelList, XpRuleList } from "./rule.ts"
import { readXp, type UserXp, XpAwarded, type XpPosition } from "./views.ts"

// As many entries as a support agent reads [G2.4].
const shownEntries = 50

const newestFirst = [
  ["created_at", "desc"],
  ["id", "desc"],
] as const

/** Which entries are asked for with a user's XP. */
export interface XpQuery {
  /** Reads on after this position, or from `start`: then the answer has `next_cursor`, null at the end. */
  readonly cursor?: XpPosition | "start"
}

/** Why XP was given by hand: kept as the entry's `reference_id`. */
const reason = Schema.optionalKey(Schema.NullOr(Prose))

const notAnAmount = {
  issues: [{ path: "amount", message: "must be an integer from -1,000,000,000 to 1,000,000,000, and not 0" }],
}
const isAmount = (amount: unknown): amount is number =>
  Number.isInteger(amount) && amount !== 0 && Math.abs(Number(amount)) <= maxXpAmount
const amount = readByUseCase((value) => (isAmount(value) ? [] : notAnAmount.issues))

/** An award by hand. `amount` is checked by the use case, because a bad one has a code of its own. */
export const XpAwardInput = Schema.Struct({ amount: Schema.optionalKey(amount), reason })

/** An award by hand, for the API reference. */
export const XpAwardShape = Schema.Struct({ amount: XpEntry.fields.amount, reason }).annotate({
  identifier: "XpAward",
})

type Db = BackgroundDb & EventsDb & IdempotencyDb & UsersDb & XpDb

/** The rules, the levels and the XP of users [G2.1, G2.4]. */
export const makeXp = (
  { clock, ids, tenants }: Pick<Ports<Db>, "clock" | "ids" | "tenants">,
  background: Pick<Dispatcher<Db>, "transact">,
) => {
  const awardXp = makeAwardXp({ clock, ids })

  const giveByHand = Effect.fnUntraced(function* (db: Db, userId: string, amount: number, reason: string | null) {
    yield* orFail(db.users.lock(userId, "key share"), UserNotFound)
    const award = { app_user_id: userId, amount, source: "admin", reference_id: reason } as const
    const cause = { cause_key: `admin/${ids.uuid()}`, occurred_at: clock.now() }
    const { entries, events } = yield* awardXp(db, [{ ...award, ...cause }], { isRanked: false })
    if (events.length > 0) yield* db.events.insertCaused(events.map((event) => ({ ...event, id: ids.uuid() })))
    const { total } = yield* db.xpTotals.find(userId)
    return { total, awarded: entries[0]?.amount ?? 0 }
  })

  return {
    /** What events are worth, in the order in which the rules were given [G2.1]. */
    rules: (projectId: string) =>
      Effect.map(
        tenants.read(projectId, (db) => db.xpRules.list()),
        (rules) => ({ rules }),
      ),

    /** Replaces all rules. Events that are handled from now on are worth what these say [G2.1]. */
    replaceRules: Effect.fn("xp.replaceRules")((projectId: string, { rules }: XpRuleList) =>
      background.transact(projectId, (db) => Effect.as(db.xpRules.replace(rules), { rules }), { alone: true }),
    ),

    /** The levels, by the XP that they require, ascending [G2.2]. */
    levels: (projectId: string) =>
      Effect.map(
        tenants.read(projectId, (db) => db.xpLevels.list()),
        (levels) => ({ levels }),
      ),

    /** Replaces all levels. Nobody is told of those that lie at or below their greatest total [G2.3]. */
    replaceLevels: Effect.fn("xp.replaceLevels")((projectId: string, { levels }: XpLevelList) =>
      background.transact(projectId, (db) => Effect.as(db.xpLevels.replace(levels), { levels }), { alone: true }),
    ),

    /** A user's own total, level and next level [G2.4]. `INVALID_TOKEN` for a user who is gone. */
    own: (projectId: string, userId: string) =>
      tenants.read(
        projectId,
        Effect.fnUntraced(function* (db) {
          yield* orFail(db.users.find({ id: userId }), InvalidToken)
          return yield* readXp(db, userId)
        }),
      ),

    /** The XP of a user with the newest entries, or with the entries after a position [G2.4]. `USER_NOT_FOUND`. */
    ofUser: Effect.fn("xp.ofUser")((projectId: string, userId: string, { cursor }: XpQuery = {}) =>
      tenants.read(
        projectId,
        Effect.fnUntraced(function* (db) {
          yield* orFail(db.users.find({ id: userId }), UserNotFound)
          const entries = yield* cursor === undefined || cursor === "start"
            ? db.xpEntries.newest(userId, shownEntries)
            : Effect.map(
                db.xpEntries.listAfter({ app_user_id: userId }, newestFirst, cursor, {
                  limit: shownEntries,
                  offset: 0,
                }),
                ({ rows }) => rows,
              )
          const xp: UserXp = { ...(yield* readXp(db, userId)), entries }
          if (cursor === undefined) return xp
          const last = entries.length < shownEntries ? undefined : entries.at(-1)
          return { ...xp, next_cursor: last === undefined ? null : Struct.pick(last, ["created_at", "id"]) }
        }),
      ),
    ),

    /**
     * Gives or takes XP by hand, once by `key`. What takes more than there is takes all [G2.3]. `USER_NOT_FOUND`; `INVALID_AMOUNT`;
     * `IDEMPOTENCY_KEY_REUSED` with another input [E5].
     */
    award: Effect.fn("xp.award")(function* (
      projectId: string,
      userId: string,
      { amount, reason = null }: typeof XpAwardInput.Type,
      key: string | null = null,
    ) {
      if (!isAmount(amount)) return yield* new InvalidAmount(notAnAmount)
      const call = { operation: "xp.award", caller: null, key, owner: userId, answer: XpAwarded }
      const input = { app_user_id: userId, amount, reason }
      return yield* background.transact(projectId, (db) =>
        answerOnce(db, { ...call, input, now: clock.now() }, giveByHand(db, userId, amount, reason)),
      )
    }),
  }
}

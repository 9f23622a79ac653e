import { Effect } from "effect"
import type { Ids } from "../ports/ids.ts"
import type { Entitlement } from "./entitlement.ts"
import type { EntitlementKey, EntitlementsDb } from "./port.ts"
import {
  chooseSource,
  type EntitlementContent,
  type EntitlementSource,
  isSame,
  readAdminContent,
  readContent,
} from "./sources.ts"

/** What the provider says of an entitlement: null is that it never gave it. */
export interface ProviderChange extends EntitlementKey {
  readonly content: EntitlementContent | null
}

interface Writes {
  readonly sources: Array<EntitlementSource>
  readonly rows: Array<Entitlement>
  readonly goneSources: Array<string>
  readonly goneRows: Array<string>
}

const formatKey = ({ app_user_id, entitlement_id }: EntitlementKey) => JSON.stringify([app_user_id, entitlement_id])

const says = (row: EntitlementContent | null | undefined, content: EntitlementContent) =>
  row !== null && row !== undefined && isSame(readContent(row), content)

/**
 * Writes what the provider gives of entitlements, and the rows that come of all sources, in a few statements whatever their number.
 * Callers hold the purses of the users [G0.5].
 */
export const makeProviderGrants = (ids: Pick<Ids, "uuid">) => {
  /** Adds what has to be written for a change. What is written already is left alone, so that doing it again changes nothing. */
  const plan = (
    writes: Writes,
    { content, ...key }: ProviderChange,
    row: Entitlement | null,
    sources: ReadonlyArray<EntitlementSource>,
    now: Date,
  ) => {
    const find = (source: EntitlementSource["source"]) => sources.find((each) => each.source === source)
    const admin = readAdminContent(row, sources)
    const provider = find("provider")
    if (content === null && provider === undefined) return
    const next = sources.filter(({ source }) => source === "reward")
    const keep = (source: EntitlementSource["source"], said: EntitlementContent) => {
      const present = find(source)
      const saved = { ...said, ...key, source, id: present?.id ?? ids.uuid(), updated_at: now }
      if (!says(present, said)) writes.sources.push(saved)
      next.push(saved)
    }
    // Otherwise what a developer granted would be lost where the provider's lasts longer.
    if (admin !== null) keep("admin", admin)
    if (content !== null) keep("provider", content)
    else if (provider !== undefined) writes.goneSources.push(provider.id)
    const chosen = chooseSource(next)
    if (chosen === null) {
      if (row !== null) writes.goneRows.push(row.id)
    } else if (!says(row, readContent(chosen)))
      writes.rows.push({ ...readContent(chosen), ...key, id: row?.id ?? ids.uuid(), updated_at: now })
  }

  const readMany = Effect.fnUntraced(function* (db: EntitlementsDb, keys: ReadonlyArray<EntitlementKey>) {
    const rows = new Map((yield* db.entitlements.listMany(keys)).map((row) => [formatKey(row), row]))
    const sources = Map.groupBy(yield* db.entitlementSources.listMany(keys), formatKey)
    return (key: EntitlementKey) => {
      return { row: rows.get(formatKey(key)) ?? null, sources: sources.get(formatKey(key)) ?? [] }
    }
  })

  const write = Effect.fnUntraced(function* (db: EntitlementsDb, { sources, rows, goneSources, goneRows }: Writes) {
    if (goneSources.length > 0) yield* db.entitlementSources.removeMany(goneSources)
    if (sources.length > 0) yield* db.entitlementSources.save(sources)
    if (goneRows.length > 0) yield* db.entitlements.removeMany(goneRows)
    if (rows.length > 0) yield* db.entitlements.save(rows)
  })

  /** Changes what `choose` answers for what is there; null leaves an entitlement as it is. */
  const changeBy = Effect.fnUntraced(function* (
    db: EntitlementsDb,
    keys: ReadonlyArray<EntitlementKey>,
    choose: (key: EntitlementKey, provider: EntitlementSource | null) => ProviderChange | null,
    now: Date,
  ) {
    if (keys.length === 0) return
    const read = yield* readMany(db, keys)
    const writes: Writes = { sources: [], rows: [], goneSources: [], goneRows: [] }
    for (const key of keys) {
      const { row, sources } = read(key)
      const change = choose(key, sources.find(({ source }) => source === "provider") ?? null)
      if (change !== null) plan(writes, change, row, sources, now)
    }
    yield* write(db, writes)
  })

  return {
    /** Writes what the provider gives [E7]. Each entitlement once. */
    change: (db: EntitlementsDb, changes: ReadonlyArray<ProviderChange>, now: Date) => {
      const byKey = new Map(changes.map((change) => [formatKey(change), change]))
      return changeBy(db, changes, (key) => byKey.get(formatKey(key)) ?? null, now)
    },

    /** Makes what the provider gave inactive where it ended at `endedAt` or before; the dates stay [E7]. */
    end: (db: EntitlementsDb, keys: ReadonlyArray<EntitlementKey>, endedAt: Date, now: Date) =>
      changeBy(
        db,
        keys,
        ({ app_user_id, entitlement_id }, provider) =>
          provider?.is_active === true && provider.expiration_date !== null && provider.expiration_date <= endedAt
            ? { app_user_id, entitlement_id, content: { ...readContent(provider), is_active: false } }
            : null,
        now,
      ),
  }
}

import {
  RefreshToken,
  SessionFamily,
  type SessionStore,
  type SignIns,
  type SignUps,
  spentDays,
} from "@hearth/core/auth"
import type { UserRow } from "@hearth/core/users"
import { Effect, Option } from "effect"
import type { Draft, Statements } from "../memory/database.ts"
import { insertRow, lockRows, removeRow, replaceRow } from "../memory/rows.ts"
import type { Shape } from "../memory/shape.ts"
import { describeTable } from "../memory/shape.ts"
import { duplicateIsFailure, memoryTable, select, sorted } from "../memory/table.ts"

/** The tables of a session store. */
export interface SessionShapes {
  readonly families: Shape<SessionFamily>
  readonly refreshTokens: Shape<RefreshToken>
}

/** The tables of the sessions of the rows in the table `owners`. */
export const sessionShapes = (owners: string): SessionShapes => ({
  families: describeTable("session families", SessionFamily, { parents: { owner_id: owners } }),
  refreshTokens: describeTable("refresh tokens", RefreshToken, { parents: { family_id: "session families" } }),
})

const mostExpired = 1_000
const [mostSpent, spentMillis] = [100, spentDays * 86_400_000]

const hasLiveToken = (draft: Draft, { refreshTokens }: SessionShapes, family_id: string, now: Date) =>
  select(draft, refreshTokens, { family_id }).some(({ expires_at }) => expires_at > now)

const begin = (draft: Draft, shapes: SessionShapes, family: SessionFamily, first: RefreshToken) => {
  const { owner_id, created_at: now } = family
  const spent = select(draft, shapes.families, { owner_id }).filter(
    ({ id, last_used_at }) =>
      now.getTime() - last_used_at.getTime() >= spentMillis && !hasLiveToken(draft, shapes, id, now),
  )
  insertRow(draft, shapes.families, family)
  insertRow(draft, shapes.refreshTokens, first)
  for (const each of spent.slice(0, mostSpent)) removeRow(draft, shapes.families, each)
}

/** Sessions and their refresh tokens. */
export const memorySessionStore = (statements: Statements, shapes: SessionShapes): SessionStore => {
  const { families, refreshTokens } = shapes
  const listUnrevoked = (draft: Draft, owner_id: string) => select(draft, families, { owner_id, revoked_at: null })
  const canBeRefreshed = (draft: Draft, family_id: string, now: Date) =>
    select(draft, refreshTokens, { family_id, revoked_at: null }).some(({ expires_at }) => expires_at > now)
  return {
    families: {
      ...memoryTable(statements, families),
      listLive: (ownerId, now) =>
        statements.query((draft) => {
          const live = listUnrevoked(draft, ownerId).filter(({ id }) => canBeRefreshed(draft, id, now))
          return sorted(families, live, [["last_used_at", "desc"]])
        }),
      revokeAll: (ownerId, now) =>
        statements.change((draft) => {
          for (const family of listUnrevoked(draft, ownerId))
            replaceRow(draft, families, family, { ...family, revoked_at: now })
        }),
    },
    refreshTokens: {
      ...memoryTable(statements, refreshTokens),
      removeExpired: (family_id, now) =>
        statements.change((draft) => {
          const expired = select(draft, refreshTokens, { family_id }).filter(({ expires_at }) => expires_at <= now)
          for (const token of expired.slice(0, mostExpired)) removeRow(draft, refreshTokens, token)
        }),
    },
    begin: (family, first) => statements.change((draft) => begin(draft, shapes, family, first)),
  }
}

/** New users with their first session. */
export const memorySignUps = (
  statements: Statements,
  users: Shape<UserRow>,
  { families, refreshTokens }: SessionShapes,
): SignUps => ({
  insert: (user, family, first) =>
    statements
      .change((draft) => {
        insertRow(draft, users, user)
        try {
          insertRow(draft, families, family)
          insertRow(draft, refreshTokens, first)
        } catch (cause) {
          // Only a key of the user that is taken is a failure.
          throw new Error("The session of the sign-up cannot be written.", { cause })
        }
      })
      .pipe(Effect.catchDefect(duplicateIsFailure)),
})

/** Users who sign in by their password. */
export const memorySignIns = (statements: Statements, users: Shape<UserRow>, shapes: SessionShapes): SignIns => ({
  insert: ({ id, password_hash }, family, first, seen_at) =>
    statements
      .change((draft) => {
        const [user] = lockRows(draft, users, select(draft, users, { id, password_hash, is_disabled: false }))
        if (user === undefined) return undefined
        begin(draft, shapes, family, first)
        if (seen_at !== null && user.last_seen_at < seen_at)
          replaceRow(draft, users, user, { ...user, last_seen_at: seen_at })
        return user
      })
      .pipe(Effect.map(Option.fromUndefinedOr)),
})

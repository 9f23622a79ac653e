import { Effect, Option } from "effect"
import type { InvalidToken } from "../failure.ts"
import type { Ports } from "../ports/ports.ts"
import type { TokenKind } from "../ports/tokens.ts"
import { together } from "../together.ts"
import type { SessionStore } from "./port.ts"

/** A plane has its own kinds of token and its own session store. */
export interface Plane {
  readonly name: "client" | "developer"
  readonly access: TokenKind
  readonly refresh: TokenKind
}

/** End users. Their session token is short-lived, the refresh token long-lived [B4]. */
export const clientPlane: Plane = { name: "client", access: "session", refresh: "refresh" }
/** Developers. */
export const developerPlane: Plane = { name: "developer", access: "developer_access", refresh: "developer_refresh" }

/** The two tokens of a session, after a login or a rotation. */
export interface TokenPair {
  readonly access_token: string
  readonly refresh_token: string
}

/** Whose session it is. `pid` is the project of an end user. */
export interface SessionOwner {
  readonly id: string
  readonly pid?: string
}

// A second use of a refresh token within this time is taken for a concurrent client, a later one for theft [B6].
const concurrentMillis = 10_000

/** Creates, rotates and revokes sessions, the same way for developers and for end users [B6]. */
export const makeSessions = (
  { clock, ids, signals, tokens }: Pick<Ports, "clock" | "ids" | "signals" | "tokens">,
  plane: Plane,
) => {
  /** Signs a new pair for a session. `stored` is the row of its refresh token. */
  const issue = Effect.fnUntraced(function* (owner: SessionOwner, sid: string) {
    const subject = owner.pid === undefined ? { sub: owner.id, sid } : { sub: owner.id, pid: owner.pid, sid }
    const jti = ids.uuid()
    const access = yield* tokens.sign(plane.access, { ...subject, jti: ids.uuid() })
    const refresh = yield* tokens.sign(plane.refresh, { ...subject, jti })
    const stored = {
      id: jti,
      family_id: sid,
      token_hash: tokens.fingerprint(refresh.token),
      created_at: clock.now(),
      expires_at: refresh.expires_at,
      revoked_at: null,
    }
    return { stored, pair: { access_token: access.token, refresh_token: refresh.token } satisfies TokenPair }
  })

  /** A new session for `owner`: its pair of tokens, and the rows that the caller has to write. */
  const draft = Effect.fnUntraced(function* (owner: SessionOwner) {
    const sid = ids.uuid()
    const now = clock.now()
    const family = { id: sid, owner_id: owner.id, created_at: now, last_used_at: now, revoked_at: null }
    return { family, ...(yield* issue(owner, sid)) }
  })

  /** Creates a session for `owner`, in the transaction of `store`. */
  const create = Effect.fnUntraced(function* (store: SessionStore, owner: SessionOwner) {
    const { family, pair, stored } = yield* draft(owner)
    yield* store.begin(family, stored)
    return pair
  })

  /** Revokes a session: none of its tokens refreshes any more. */
  const revoke = (store: SessionStore, sid: string) =>
    Effect.orDie(Effect.asVoid(store.families.update(sid, { revoked_at: clock.now() })))

  /**
   * Rotates a refresh token into a new pair, in the transaction of `store`. Null when the token is not accepted. The
   * caller must commit the transaction also then, because a reused token revokes its session in it.
   */
  const rotate = Effect.fnUntraced(function* (store: SessionStore, token: string, sid: string, owner: SessionOwner) {
    const now = clock.now()
    const family = yield* store.families.lock(sid)
    if (Option.isNone(family) || family.value.revoked_at !== null || family.value.owner_id !== owner.id) return null
    const stored = yield* store.refreshTokens.find({ family_id: sid, token_hash: tokens.fingerprint(token) })
    if (Option.isNone(stored) || stored.value.expires_at <= now) return null
    const { revoked_at } = stored.value
    if (revoked_at !== null) {
      if (now.getTime() - revoked_at.getTime() > concurrentMillis) {
        yield* revoke(store, sid)
        signals.emit({ name: "refresh_reuse_detected", plane: plane.name })
      }
      return null
    }
    yield* Effect.orDie(store.refreshTokens.update(stored.value.id, { revoked_at: now }))
    yield* Effect.orDie(store.families.update(sid, { last_used_at: now }))
    const { pair, stored: next } = yield* issue(owner, sid)
    // What has expired is refused without a look at its row. Otherwise an app that is used for years leaves one an hour.
    yield* together([Effect.orDie(store.refreshTokens.insert(next)), store.refreshTokens.removeExpired(sid, now)])
    return pair
  })

  /** The claims of a refresh token of this plane. */
  const claims = (token: string): Effect.Effect<{ sub: string; sid: string; pid?: string }, InvalidToken> =>
    tokens.verify(plane.refresh, token)

  return { draft, create, rotate, revoke, claims }
}

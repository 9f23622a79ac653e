import { Effect, Option } from "effect"
import type { Identity } from "../ports/identity-verifier.ts"
import type { Ports } from "../ports/ports.ts"
import type { Revocations } from "../ports/revocations.ts"
import type { PushDb } from "../push/port.ts"
import type { UsersDb } from "../users/port.ts"
import type { UserRow } from "../users/user.ts"
import type { AuthDb } from "./port.ts"

/** What a proof changes. */
export type ProofDb = AuthDb & Pick<PushDb, "pushTokens"> & UsersDb

/** Told of every user whose email a transaction proves. */
export type NoteProof = (userId: string) => void

/**
 * Runs a transaction that may prove emails, and announces afterwards whose sessions it ended. Also when it failed: its commit
 * may have been made although the answer was lost.
 */
export const announceProofs = <A, E>(
  revocations: Revocations,
  makeTransaction: (note: NoteProof) => Effect.Effect<A, E>,
): Effect.Effect<A, E> =>
  Effect.suspend(() => {
    const proven = new Set<string>()
    const announced = Effect.suspend(() => (proven.size === 0 ? Effect.void : revocations.announce([...proven])))
    return Effect.ensuring(
      makeTransaction((userId) => proven.add(userId)),
      announced,
    )
  })

type Prover = Pick<Identity, "provider" | "provider_id"> | null

/**
 * Notes that somebody has proven to be at the user's email: by a magic link, or by an identity whose token says so. Whoever
 * signed up before may have been somebody else, so the first proof ends the password, all sessions and all identities but the
 * one that proves [B15], and no device of before gets pushes until it is registered again. A later proof changes nothing. The caller
 * has locked the user. Answers the user as it is then.
 */
export const proveEmail = Effect.fnUntraced(function* (
  { clock, signals }: Pick<Ports, "clock" | "signals">,
  db: ProofDb,
  user: UserRow,
  prover: Prover,
  note: NoteProof,
) {
  if (user.email === null || user.email_verified_at !== null) return user
  note(user.id)
  const now = clock.now()
  const isProver = (identity: { readonly provider: string; readonly provider_id: string }) =>
    prover !== null && identity.provider === prover.provider && identity.provider_id === prover.provider_id
  yield* db.authSessions.families.revokeAll(user.id, now)
  yield* db.pushTokens.deactivateAll(user.id, now, "EMAIL_PROVEN")
  const links = yield* db.accountLinks.list({ app_user_id: user.id }, [["id", "asc"]])
  yield* Effect.forEach(
    links.filter((link) => !isProver(link)),
    ({ id }) => db.accountLinks.remove({ id }),
    { discard: true },
  )
  const changes = {
    email_verified_at: now,
    password_hash: null,
    auth_providers: user.auth_providers.filter(isProver),
    updated_at: now,
  }
  const proven = Option.getOrThrow(yield* Effect.orDie(db.users.update(user.id, changes)))
  signals.emit({ name: "email_proven" })
  return proven
})

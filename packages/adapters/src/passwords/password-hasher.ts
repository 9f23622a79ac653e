import { availableParallelism } from "node:os"
import type { PasswordHasher, PasswordHashers } from "@hearth/core"
import type { Algorithm } from "./algorithm.ts"
import { argon2id } from "./argon2id.ts"
import { bcrypt10 } from "./bcrypt.ts"
import { type InTurn, makeLines } from "./lines.ts"

/** How passwords are hashed. */
export interface PasswordHasherSettings {
  /** What new hashes are made with; both are verified [B7]. Default: `argon2id`. */
  readonly algorithm?: "argon2id" | "bcrypt"
  /** How many are hashed at once, of both planes together. Default: one per core, at most 3. */
  readonly concurrency?: number
  /** How many more of a line wait their turn before `HashingBusy`. Default: 64. */
  readonly waiting?: number
}

const ALGORITHMS = { argon2id, bcrypt: bcrypt10 } satisfies Record<string, Algorithm>

/** libuv has four threads unless told otherwise, and files, names and token signatures need one too. */
const MAX_CONCURRENCY = 3

// Of those who name none.
const COMMON_LINE = ""

/**
 * Hashes and verifies with argon2id and bcrypt, native code off the event loop [B7]. Each plane has lines of its own, so that users of
 * an app, whose key is public, cannot keep developers out, nor the users of another app [B14].
 */
export const nativePasswordHashers = (settings: PasswordHasherSettings = {}): PasswordHashers => {
  const { algorithm: chosen = "argon2id" } = settings
  if (!Object.hasOwn(ALGORITHMS, chosen))
    throw new TypeError(`passwords.algorithm must be argon2id or bcrypt: it is ${JSON.stringify(chosen)}.`)
  const current = ALGORITHMS[chosen]
  const makePlane = makeLines(
    settings.concurrency ?? Math.min(availableParallelism(), MAX_CONCURRENCY),
    settings.waiting ?? 64,
  )
  const make = (inTurnOf: (line: string) => InTurn): PasswordHasher => ({
    hash: (password, line = COMMON_LINE) => inTurnOf(line)(() => current.hash(password)),
    verify: (password, hash, line = COMMON_LINE) =>
      inTurnOf(line)(async () => {
        const algorithm = hash === null ? undefined : Object.values(ALGORITHMS).find(({ reads }) => reads(hash))
        if (hash === null || algorithm === undefined) {
          await current.verify(password, current.dummy)
          return { matches: false, outdated: false }
        }
        const matches = await algorithm.verify(password, hash)
        return { matches, outdated: !current.isCurrent(hash) }
      }),
  })
  return { client: make(makePlane()), developer: make(makePlane()) }
}

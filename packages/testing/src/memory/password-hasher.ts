import { hash as digest, randomUUID } from "node:crypto"
import { HashingBusy, type PasswordHasher, type PasswordHashers } from "@hearth/core"
import { Effect } from "effect"

/** How the in-memory hasher behaves. */
export interface MemoryPasswordHasherSettings {
  /** In place of algorithm and parameters: hashes of another round are outdated. */
  readonly round?: number
  /** How many calls of a line may be under way at once before `HashingBusy`; 0 makes every call fail. Default: no bound. */
  readonly capacity?: number
}

const FORM = /^memory\$(\d+)\$([0-9a-f-]{36})\$[0-9a-f]{64}$/

/** Salted SHA-256: fast, for tests only. Hashes begin with `memory$`. */
export const memoryPasswordHasher = ({
  round = 1,
  capacity = Number.POSITIVE_INFINITY,
}: MemoryPasswordHasherSettings = {}): PasswordHasher => {
  const underWay = new Map<string, number>()
  const limitConcurrency = <A>(line: string, work: () => A): Effect.Effect<A, HashingBusy> =>
    Effect.suspend(() => {
      const count = (by: number) => underWay.set(line, (underWay.get(line) ?? 0) + by)
      if ((underWay.get(line) ?? 0) >= capacity) return Effect.fail(new HashingBusy())
      count(1)
      const release = Effect.sync(() => count(-1))
      return Effect.yieldNow.pipe(Effect.andThen(Effect.sync(work)), Effect.ensuring(release))
    })
  return {
    hash: (password, line = "") => limitConcurrency(line, () => makeHash(round, randomUUID(), password)),
    verify: (password, hash, line = "") =>
      limitConcurrency(line, () => {
        const [, made, salt] = FORM.exec(hash ?? "") ?? []
        if (made === undefined || salt === undefined) return { matches: false, outdated: false }
        return { matches: makeHash(Number(made), salt, password) === hash, outdated: Number(made) !== round }
      }),
  }
}

/** Such a hasher for each plane. */
export const memoryPasswordHashers = (settings: MemoryPasswordHasherSettings = {}): PasswordHashers => ({
  client: memoryPasswordHasher(settings),
  developer: memoryPasswordHasher(settings),
})

const makeHash = (round: number, salt: string, password: string) =>
  `memory$${round}$${salt}$${digest("sha256", `${round}$${salt}$${password}`, "hex")}`

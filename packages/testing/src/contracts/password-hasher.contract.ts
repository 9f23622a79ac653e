import { HashingBusy, type PasswordHasher } from "@hearth/core"
import { Effect, Exit, Result } from "effect"
import { describe, expect, it } from "vitest"

/** How to make the hashers that the suite compares. */
export interface PasswordHasherMakers {
  readonly make: () => PasswordHasher
  /** One whose hashes the first verifies and reports as outdated. */
  readonly makeOutdated: () => PasswordHasher
  /** One that accepts `capacity` calls at once, running and waiting together. */
  readonly makeBounded: (capacity: number) => PasswordHasher
}

/** Passwords that a wrong hasher confuses: cut at 72 bytes, at NUL, trimmed, repeated, folded. */
const SIMILAR_PASSWORDS: ReadonlyArray<readonly [string, string, string]> = [
  ["differ in case", "Correct horse", "correct horse"],
  ["differ in a space at the end", "correct horse", "correct horse "],
  ["differ after 71 bytes", `${"a".repeat(71)}b`, `${"a".repeat(71)}c`],
  ["differ after 72 bytes", `${"a".repeat(72)}b`, `${"a".repeat(72)}c`],
  ["are 72 and 73 bytes long", "a".repeat(72), "a".repeat(73)],
  ["differ at the 128th character", `${"🔥".repeat(127)}a`, `${"🔥".repeat(127)}b`],
  ["differ after a NUL", "ab\0cd", "ab\0ce"],
  ["end at a NUL", "ab", "ab\0"],
  ["are repeated with a NUL", "ab", "ab\0ab"],
  ["differ in an accent", "cafe", "café"],
]

const INVALID_HASHES = [
  "",
  "correct horse",
  "$",
  "memory$",
  "$2b$10$short",
  "$2b$99$......................................................",
  "$argon2id$v=19$m=19456,t=2,p=1$",
  "$argon2id$v=19$m=19456,t=2,p=1$AAAA$AAAA",
  "5f4dcc3b5aa765d61d8327deb882cf99",
  "\0",
  "x".repeat(10_000),
]

const run = Effect.runPromise
const atOnce = <A, E>(calls: ReadonlyArray<Effect.Effect<A, E>>) => Effect.all(calls, { concurrency: "unbounded" })

/** What every `PasswordHasher` promises. */
export const passwordHasherContract = (name: string, { make, makeOutdated, makeBounded }: PasswordHasherMakers) =>
  describe(`password hasher: ${name}`, () => {
    it("verifies what it hashed, and nothing else", async () => {
      const hasher = make()
      const hash = await run(hasher.hash("correct horse"))
      expect(await run(hasher.verify("correct horse", hash))).toEqual({ matches: true, outdated: false })
      for (const wrong of ["correct hors", "", hash]) {
        expect((await run(hasher.verify(wrong, hash))).matches, wrong).toBe(false)
      }
    })

    it("gives different hashes of one password, which do not contain it", async () => {
      const hasher = make()
      const [one, two] = [await run(hasher.hash("correct horse")), await run(hasher.hash("correct horse"))]
      expect(one).not.toBe(two)
      expect(one + two).not.toContain("correct horse")
      expect((await run(hasher.verify("correct horse", two))).matches).toBe(true)
    })

    it.each(SIMILAR_PASSWORDS)("tells passwords apart that %s", async (_, one, other) => {
      const hasher = make()
      const [hash, otherHash] = await run(atOnce([hasher.hash(one), hasher.hash(other)]))
      const pairs = [
        [one, hash],
        [other, otherHash],
        [other, hash],
        [one, otherHash],
      ] as const
      const verdicts = await run(atOnce(pairs.map(([password, stored]) => hasher.verify(password, stored ?? null))))
      expect(verdicts.map(({ matches }) => matches)).toEqual([true, true, false, false])
    })

    it("never matches where there is no hash", async () => {
      const hasher = make()
      for (const password of ["", "correct horse", "x".repeat(128)]) {
        expect(await run(hasher.verify(password, null))).toEqual({ matches: false, outdated: false })
      }
    })

    it("never matches a hash of an unknown form", async () => {
      const hasher = make()
      const verdicts = await run(atOnce(INVALID_HASHES.map((hash) => hasher.verify("correct horse", hash))))
      expect(verdicts.map(({ matches }) => matches)).toEqual(INVALID_HASHES.map(() => false))
      expect((await run(hasher.verify("$2b$10$short", "$2b$10$short"))).matches).toBe(false)
    })

    it("verifies outdated hashes, and reports them as outdated", async () => {
      const hasher = make()
      for (const password of ["correct horse", "🔥".repeat(128)]) {
        const hash = await run(makeOutdated().hash(password))
        expect(await run(hasher.verify(password, hash))).toEqual({ matches: true, outdated: true })
        expect((await run(hasher.verify("other", hash))).matches).toBe(false)
      }
    })

    it("fails while too many calls wait, and works again afterwards", async () => {
      const hasher = makeBounded(2)
      const hash = await run(hasher.hash("correct horse"))
      const calls = [hasher.hash("a"), hasher.verify("correct horse", hash), hasher.hash("b"), hasher.verify("c", null)]
      const outcomes = await run(atOnce(calls.map((call) => Effect.result<unknown, HashingBusy, never>(call))))
      expect(outcomes.map(Result.isSuccess)).toEqual([true, true, false, false])
      for (const outcome of outcomes.filter(Result.isFailure)) expect(outcome.failure).toBeInstanceOf(HashingBusy)
      expect((await run(hasher.verify("correct horse", hash))).matches).toBe(true)
    })

    it("has the capacity for each line", async () => {
      const hasher = makeBounded(2)
      const hash = await run(hasher.hash("correct horse"))
      const full = ["a", "a", "a"].map((line) => hasher.hash("x", line))
      const calls = [...full, hasher.hash("x", "b"), hasher.verify("correct horse", hash, "b"), hasher.hash("x")]
      const outcomes = await run(atOnce(calls.map((call) => Effect.result<unknown, HashingBusy, never>(call))))
      expect(outcomes.map(Result.isSuccess)).toEqual([true, true, false, true, true, true])
    })

    it("frees the capacity of an interrupted call", async () => {
      const hasher = makeBounded(2)
      const given = Array.from({ length: 2 }, () => {
        const controller = new AbortController()
        const exit = Effect.runPromiseExit(hasher.hash("a"), { signal: controller.signal })
        controller.abort()
        return exit
      })
      await Promise.all(given)
      const after = await run(atOnce([hasher.hash("a"), hasher.hash("b")].map(Effect.exit)))
      expect(after.every(Exit.isSuccess)).toBe(true)
    })
  })

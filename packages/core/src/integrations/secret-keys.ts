import { Effect } from "effect"
import type { Ports } from "../ports/ports.ts"
import type { IntegrationsControlDb, KeyUse } from "./port.ts"
import { openSecrets, sealSecrets } from "./secrets.ts"

// A boot seals this many again at most; the next one goes on.
const mostBatches = 100
const batchSize = 100

/** What sealing again came to. */
export interface SealedAgain {
  /** How many integrations were sealed again. */
  readonly integrations: number
  /** The fingerprints of the keys behind the first. */
  readonly older: ReadonlyArray<string>
  /** What is still sealed with one of them. */
  readonly left: ReadonlyArray<KeyUse>
}

/** The keys that seal the secrets of integrations, at the start of a process [H1.2]. */
export const makeSecretKeys = ({
  control,
  secrets,
}: Pick<Ports<unknown, IntegrationsControlDb>, "control" | "secrets">) => {
  const [, ...others] = secrets.fingerprints

  const countKeys = (isCounted: (fingerprint: string) => boolean) =>
    Effect.map(
      control.read((db) => db.integrations.countKeys()),
      (uses) => uses.filter(({ fingerprint }) => isCounted(fingerprint)),
    )

  /** Seals a batch again. Answers where the next one begins, null at the end. What cannot be opened stays as it is. */
  const sealBatch = (after: string | null) =>
    control.transact(
      Effect.fnUntraced(function* (db) {
        const rows = yield* db.integrations.lockSealedWith(others, after, batchSize)
        const sealed = yield* Effect.forEach(rows, (row) =>
          Effect.flatMap(openSecrets(secrets, row), (opened) =>
            opened === null
              ? Effect.succeed([])
              : Effect.map(sealSecrets(secrets, row, opened), (again) => [{ id: row.id, ...again }]),
          ),
        )
        yield* db.integrations.reseal(sealed.flat())
        return { count: sealed.flat().length, next: rows.length < batchSize ? null : (rows.at(-1)?.id ?? null) }
      }),
    )

  return {
    /** What is sealed with keys that are not in the list: none of it can be read. */
    findLost: () => countKeys((fingerprint) => !secrets.fingerprints.includes(fingerprint)),

    /**
     * Seals with the first key what is sealed with the others, so that these can be removed. At most 10,000 integrations; those
     * that are being changed are left out.
     */
    sealAgain: Effect.fn("secretKeys.sealAgain")(function* () {
      let integrations = 0
      let after: string | null = null
      for (let batch = 0; others.length > 0 && batch < mostBatches; batch += 1) {
        const { count, next }: { readonly count: number; readonly next: string | null } = yield* sealBatch(after)
        integrations += count
        after = next
        if (after === null) break
      }
      const left = yield* countKeys((fingerprint) => others.includes(fingerprint))
      return { integrations, older: others, left } satisfies SealedAgain
    }),
  }
}

const count = (n: number, what: string) => `${n} ${what}${n === 1 ? "" : "s"}`

/** One sentence for the operator about keys that are lost: what needs them, and what to do. `place` is where the keys are listed. */
export const describeLostKeys = (
  lost: ReadonlyArray<KeyUse>,
  place: string,
  remedy = "start with SECRETS_KEY_LOST=forget",
): string => {
  const needs = lost.map(
    ({ fingerprint, integrations, projects }) =>
      `${count(integrations, "integration")} of ${count(projects, "project")} ${integrations === 1 ? "needs" : "need"} the key ${fingerprint}`,
  )
  return (
    `The secrets of integrations cannot be read, because ${needs.join(" and ")}, not in ${place}: ` +
    `put it back there, behind the first one; or, when it is gone for good, ${remedy}, ` +
    "and those integrations have no secret until it is set again."
  )
}

import { Effect } from "effect"

/**
 * How well a dependency serves the process. `degraded`: something is slower or later, and nothing is lost. `failed`: requests
 * cannot be answered, so they should go elsewhere.
 */
export type Health = "ok" | "degraded" | "failed"

/** What a check found: the health, and facts that its line shows to operators, never a credential. */
export type Finding = { readonly status: Health } & Readonly<Record<string, unknown>>

/** A named check of something that the process needs. */
export interface ReadinessCheck {
  readonly dependency: string
  /** What is found. A failure, a defect and no answer in time count as `otherwise`. */
  readonly find: Effect.Effect<Finding, unknown>
  /** The health of a dependency that does not answer; `failed` where left out. */
  readonly otherwise?: "degraded" | "failed"
  /** How long it may take; two seconds where left out. */
  readonly timeoutMillis?: number
}

/** What `/health/ready` answers. */
export interface Readiness {
  /** 503 where one check failed, otherwise 200: what is degraded still serves. */
  readonly status: 200 | 503
  /** A JSON line per check: `dependency`, `status`, `ms` and the facts of the check. */
  readonly lines: string
}

/** A finding by whether something answered: `ok`, otherwise a failure. */
export const requireAnswer = (answers: Effect.Effect<boolean>): ReadinessCheck["find"] =>
  Effect.flatMap(answers, (ok) => (ok ? Effect.succeed({ status: "ok" }) : Effect.fail("no answer")))

const runCheck = ({ dependency, find, otherwise = "failed", timeoutMillis = 2_000 }: ReadinessCheck) =>
  Effect.gen(function* () {
    const started = performance.now()
    const { status, ...facts } = yield* find.pipe(
      Effect.timeout(timeoutMillis),
      Effect.catchCause(() => Effect.succeed<Finding>({ status: otherwise })),
    )
    return { dependency, status, ms: Math.round(performance.now() - started), ...facts }
  })

/** Runs all checks at once. */
export const checkReadiness = (checks: ReadonlyArray<ReadinessCheck>): Effect.Effect<Readiness> =>
  Effect.map(Effect.forEach(checks, runCheck, { concurrency: "unbounded" }), (found) => ({
    status: found.some(({ status }) => status === "failed") ? 503 : 200,
    lines: found.map((line) => `${JSON.stringify(line)}\n`).join(""),
  }))

import type { Log } from "@hearth/adapters"
import type { Signal, Signals } from "@hearth/core"
import { Counter, Histogram, type Registry } from "prom-client"

const warnNames = new Set<Signal["name"]>([
  "processing_failed",
  "event_set_aside",
  "project_paused",
  "task_failed",
  "job_failed",
  "evaluation_failed",
  "export_section_failed",
  "unknown_time_zone",
  "refresh_reuse_detected",
  "secret_unreadable",
  "webhook_postponed",
  "push_misconfigured",
  "push_tokens_mismatch",
  "push_thread_lost",
  "pattern_thread_lost",
])

// Of the queue, not of the project that meets it first: while it is away, every project with something to do meets it, again and again.
const queueNames = new Set<Signal["name"]>(["nudge_failed", "job_not_started", "evaluation_not_started"])
const againMillis = 60_000

/** Says whether to warn of a signal: of what concerns the queue once a minute, of all else that needs attention each time. */
const makeWarns = (now: () => number) => {
  const warnedAt = new Map<Signal["name"], number>()
  return (name: Signal["name"]): boolean => {
    if (!queueNames.has(name)) return warnNames.has(name)
    if (now() - (warnedAt.get(name) ?? Number.NEGATIVE_INFINITY) < againMillis) return false
    warnedAt.set(name, now())
    return true
  }
}

// A counter throws at what is no count, and signals never fail.
const countOf = (given: number) => (Number.isFinite(given) ? Math.max(0, given) : 0)

/** Counts signals in `registry` and logs them, those that need attention as warnings. `now` are milliseconds of any clock that is not set. */
export const countSignals = (registry: Registry, log: Log, now = (): number => performance.now()): Signals => {
  const warns = makeWarns(now)
  const registers = [registry]
  const signals = new Counter({
    name: "hearth_signals_total",
    help: "What operators should know, by name.",
    labelNames: ["name"],
    registers,
  })
  const reacted = new Counter({ name: "hearth_events_reacted_total", help: "Events handled.", registers })
  const lag = new Histogram({
    name: "hearth_reaction_lag_seconds",
    help: "How long the oldest event of a batch had waited when it was handled.",
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 30, 120, 600],
    registers,
  })
  const setAside = new Counter({
    name: "hearth_dead_letters_total",
    help: "Tries of events and outbox entries that failed alone, by reaction and by what became of them.",
    labelNames: ["reaction", "status"],
    registers,
  })
  const paused = new Counter({
    name: "hearth_project_pauses_total",
    help: "Pauses of projects in which a reaction failed for too many events.",
    labelNames: ["reaction"],
    registers,
  })
  return {
    emit: (signal) => {
      if (signal.name === "event_set_aside") setAside.inc({ reaction: signal.reaction, status: signal.status })
      if (signal.name === "project_paused") paused.inc({ reaction: signal.reaction })
      signals.inc({ name: signal.name })
      if (signal.name === "events_reacted") {
        reacted.inc(countOf(signal.events))
        lag.observe(countOf(signal.lag_seconds))
      }
      const { name, ...facts } = signal
      log(warns(name) ? "warn" : "debug", name.replaceAll("_", " "), { signal: name, ...facts })
    },
  }
}

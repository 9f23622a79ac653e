import type { Signals } from "../ports/signals.ts"

// Whoever writes zones into the database could write any number of them.
const mostNames = 1_000
const longestName = 64

/** Who is told, and of which zones it was. Held weakly: a service that is gone needs no signals. */
const listeners = new Set<{ readonly signals: WeakRef<Signals>; readonly names: Set<string> }>()

/** Emits `unknown_time_zone` to `signals` from now on, once per zone, for at most 1,000 zones. */
export const signalUnknownZones = (signals: Signals): void => {
  for (const listener of listeners) if (listener.signals.deref() === signals) return
  listeners.add({ signals: new WeakRef(signals), names: new Set() })
}

/** Notes that a stored zone is unknown to this runtime and was taken for UTC. */
export const reportUnknownZone = (zone: string): void => {
  const name = zone.slice(0, longestName)
  for (const listener of listeners) {
    const signals = listener.signals.deref()
    if (signals === undefined) listeners.delete(listener)
    else if (!listener.names.has(name) && listener.names.size < mostNames) {
      listener.names.add(name)
      signals.emit({ name: "unknown_time_zone", zone: name })
    }
  }
}

import type { Signal, Signals } from "@hearth/core"

/** Signals that are kept, the oldest first. */
export interface RecordedSignals extends Signals {
  readonly emitted: ReadonlyArray<Signal>
  /** The signals of one name. */
  of<Name extends Signal["name"]>(name: Name): ReadonlyArray<Extract<Signal, { readonly name: Name }>>
}

/** Keeps every signal in a list. */
export const recordedSignals = (): RecordedSignals => {
  const emitted: Array<Signal> = []
  return {
    emitted,
    emit: (signal) => void emitted.push(signal),
    of: <Name extends Signal["name"]>(name: Name) =>
      emitted.filter((signal): signal is Extract<Signal, { readonly name: Name }> => signal.name === name),
  }
}

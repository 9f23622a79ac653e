/** A map, as a statement works on it. */
export interface Layer<Value> {
  get(key: string): Value | undefined
  set(key: string, value: Value): void
  delete(key: string): void
  /** In the order in which they were first written. */
  values(): Iterable<Value>
}

/** Maps by name. */
export type Maps = Map<string, Map<string, unknown>>

/** What one transaction has changed, on top of what is committed by now. */
export interface Layers {
  layer<Value>(name: string): Layer<Value>
  /** Keeps what was changed since the last call. */
  keep(): void
  /** Undoes what was changed since then. */
  undo(): void
  /** Merges all changes into what is committed. */
  commit(): void
}

const layerOver = (base: Map<string, unknown>, undone: Array<() => void>) => {
  const changed = new Map<string, unknown>()
  const get = (key: string) => (changed.size > 0 && changed.has(key) ? changed.get(key) : base.get(key))
  const change = (key: string, value: unknown) => {
    const [was, before] = [changed.has(key), changed.get(key)]
    undone.push(() => (was ? changed.set(key, before) : changed.delete(key)))
    changed.set(key, value)
  }
  const layer: Layer<unknown> = {
    get,
    set: change,
    delete: (key) => change(key, undefined),
    values: () => {
      if (changed.size === 0) return base.values() as Iterable<unknown>
      const keys = new Set([...base.keys(), ...changed.keys()])
      return [...keys].map(get).filter((value) => value !== undefined)
    },
  }
  const commit = ({ last, ofRows }: Commits) => {
    for (const [key, value] of changed) {
      if (value === undefined) base.delete(key)
      else base.set(key, value)
      if (typeof value === "object" && value !== null) ofRows.set(value, last)
    }
  }
  return { layer, commit }
}

/** Which commits there were, and which of them wrote a row. */
export interface Commits {
  /** The number of the last one. */
  last: number
  readonly ofRows: WeakMap<object, number>
}

/** Layers without changes, on top of `committed`. */
export const makeLayers = (committed: Maps, commits: Commits): Layers => {
  const open = new Map<string, ReturnType<typeof layerOver>>()
  const undone: Array<() => void> = []
  const baseOf = (name: string) => {
    const base = committed.get(name)
    if (base !== undefined) return base
    const made = new Map<string, unknown>()
    committed.set(name, made)
    return made
  }
  return {
    layer: <Value>(name: string): Layer<Value> => {
      const found = open.get(name)
      if (found !== undefined) return found.layer as Layer<Value>
      const made = layerOver(baseOf(name), undone)
      open.set(name, made)
      return made.layer as Layer<Value>
    },
    keep: () => {
      undone.length = 0
    },
    undo: () => {
      for (const step of undone.splice(0).reverse()) step()
    },
    commit: () => {
      commits.last += 1
      for (const { commit } of open.values()) commit(commits)
    },
  }
}

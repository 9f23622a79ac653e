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
  /** Merges all changes into what is committed. The layers are without changes then. */
  commit(): void
}

type Step = () => void

// Classes, because every transaction makes them anew, and closures would be a large part of it.
class LayerOver implements Layer<unknown> {
  readonly #base: Map<string, unknown>
  readonly #undone: Array<Step>
  readonly #written: Set<LayerOver>
  #changed: Map<string, unknown> | undefined
  constructor(base: Map<string, unknown>, undone: Array<Step>, written: Set<LayerOver>) {
    this.#base = base
    this.#undone = undone
    this.#written = written
  }
  get(key: string): unknown {
    const changed = this.#changed
    return changed?.has(key) ? changed.get(key) : this.#base.get(key)
  }
  set(key: string, value: unknown): void {
    this.#changed ??= new Map()
    this.#written.add(this)
    const changed = this.#changed
    const [was, before] = [changed.has(key), changed.get(key)]
    this.#undone.push(() => (was ? changed.set(key, before) : changed.delete(key)))
    changed.set(key, value)
  }
  delete(key: string): void {
    this.set(key, undefined)
  }
  values(): Iterable<unknown> {
    const changed = this.#changed
    if (changed === undefined || changed.size === 0) return this.#base.values()
    const keys = new Set([...this.#base.keys(), ...changed.keys()])
    return [...keys].map((key) => this.get(key)).filter((value) => value !== undefined)
  }
  commit({ last, ofRows }: Commits): void {
    for (const [key, value] of this.#changed ?? []) {
      if (value === undefined) this.#base.delete(key)
      else this.#base.set(key, value)
      if (typeof value === "object" && value !== null) ofRows.set(value, last)
    }
    this.#changed = undefined
  }
}

/** Which commits there were, and which of them wrote a row. */
export interface Commits {
  /** The number of the last one. */
  last: number
  readonly ofRows: WeakMap<object, number>
}

/** Layers without changes, on top of `committed`. */
export const makeLayers = (committed: Maps, commits: Commits): Layers => new LayersOver(committed, commits)

class LayersOver implements Layers {
  readonly #committed: Maps
  readonly #commits: Commits
  readonly #open = new Map<string, LayerOver>()
  readonly #undone: Array<Step> = []
  readonly #written = new Set<LayerOver>()
  constructor(committed: Maps, commits: Commits) {
    this.#committed = committed
    this.#commits = commits
  }
  layer<Value>(name: string): Layer<Value> {
    const found = this.#open.get(name)
    if (found !== undefined) return found as Layer<unknown> as Layer<Value>
    const made = new LayerOver(this.#base(name), this.#undone, this.#written)
    this.#open.set(name, made)
    return made as Layer<unknown> as Layer<Value>
  }
  #base(name: string) {
    const base = this.#committed.get(name)
    if (base !== undefined) return base
    const made = new Map<string, unknown>()
    this.#committed.set(name, made)
    return made
  }
  keep(): void {
    this.#undone.length = 0
  }
  undo(): void {
    if (this.#undone.length === 0) return
    for (const step of this.#undone.splice(0).reverse()) step()
  }
  commit(): void {
    this.#commits.last += 1
    for (const layer of this.#written) layer.commit(this.#commits)
    this.#written.clear()
  }
}

import { vi } from "vitest"

type Listener = (event: object) => void

/** Locks as browsers have them, for all clients of a test. */
const makeLocks = () => {
  const held = new Map<string, Promise<unknown>>()
  const request = async (
    name: string,
    { ifAvailable = false }: { readonly ifAvailable?: boolean },
    work: (lock: unknown) => unknown,
  ): Promise<unknown> => {
    if (ifAvailable && held.has(name)) return work(null)
    while (held.has(name)) await held.get(name)
    const done = Promise.resolve(work({ name })).finally(() => held.delete(name))
    held.set(
      name,
      done.catch(() => {}),
    )
    return done
  }
  return { request }
}

/** Makes Node look like a browser until `vi.unstubAllGlobals()`. */
export const stubBrowser = (): {
  readonly emit: (type: string, event?: object) => void
  readonly document: { visibilityState: string }
} => {
  const listeners = new Map<string, Set<Listener>>()
  const document = { visibilityState: "visible" }
  vi.stubGlobal("navigator", { locks: makeLocks() })
  vi.stubGlobal("document", document)
  vi.stubGlobal("addEventListener", (type: string, listener: Listener) =>
    listeners.set(type, (listeners.get(type) ?? new Set()).add(listener)),
  )
  vi.stubGlobal("removeEventListener", (type: string, listener: Listener) => listeners.get(type)?.delete(listener))
  return { emit: (type, event = {}) => listeners.get(type)?.forEach((listener) => void listener(event)), document }
}

/** Makes Node look like React Native: no locks, no page. */
export const stubNative = (): void => {
  vi.stubGlobal("navigator", {})
  vi.stubGlobal("document", undefined)
}

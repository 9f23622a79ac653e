/** The part of the Web Locks API that is used. */
export interface Locks {
  request<T>(
    name: string,
    options: { readonly ifAvailable?: boolean },
    work: (lock: unknown) => Promise<T> | T,
  ): Promise<T>
}

/** What may be there or not: a browser has all of it, React Native and Node little. Nothing is read before it is needed. */
export interface Surroundings {
  readonly localStorage?: unknown
  readonly navigator?: { readonly locks?: Locks }
  readonly document?: { readonly visibilityState?: string }
  readonly addEventListener?: (type: string, listener: (event: { readonly key?: string | null }) => void) => void
  readonly removeEventListener?: (type: string, listener: (event: { readonly key?: string | null }) => void) => void
  readonly crypto?: { readonly randomUUID?: () => string; readonly getRandomValues?: (bytes: Uint8Array) => Uint8Array }
  readonly ReadableStream?: unknown
  readonly atob?: (text: string) => string
}

export const surroundings = (): Surroundings => globalThis as unknown as Surroundings

export const sleep = (millis: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, millis))

/** A random uuid, also where `crypto.randomUUID` is missing: in React Native, and on pages without TLS. */
export const makeUuid = (): string => {
  const { crypto } = surroundings()
  if (crypto?.randomUUID !== undefined) return crypto.randomUUID()
  const bytes = new Uint8Array(16)
  if (crypto?.getRandomValues !== undefined) crypto.getRandomValues(bytes)
  else for (let at = 0; at < 16; at++) bytes[at] = Math.random() * 256
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")
}

/** Calls `listener` at an event of the page, where there is one; answers how to stop. */
export const listen = (type: string, listener: (event: { readonly key?: string | null }) => void): (() => void) => {
  const { addEventListener, removeEventListener } = surroundings()
  if (typeof addEventListener !== "function") return () => {}
  addEventListener.call(globalThis, type, listener)
  return () => removeEventListener?.call(globalThis, type, listener)
}

// The last work of each name, where there are no locks of the platform.
const lines = new Map<string, Promise<unknown>>()

/** Runs `work` alone among all that use the name: in all tabs of the origin where the platform has locks, else in this process. */
export const withLock = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
  const locks = surroundings().navigator?.locks
  if (locks !== undefined) return locks.request(name, {}, work)
  const turn = (lines.get(name) ?? Promise.resolve()).then(work)
  const settled = turn.catch(() => {})
  lines.set(name, settled)
  try {
    return await turn
  } finally {
    if (lines.get(name) === settled) lines.delete(name)
  }
}

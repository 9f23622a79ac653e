const isPlain = (value: object) => {
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** A deep copy, as `structuredClone` makes it. Rows, lists and maps of them take a fraction of its time. */
export const copy = <A>(value: A): A => copyAny(value) as A

const copyAny = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null) return typeof value === "function" ? structuredClone(value) : value
  if (value instanceof Date) return new Date(value.getTime())
  if (Array.isArray(value)) return value.map(copyAny)
  if (value instanceof Map) {
    const copied = new Map<unknown, unknown>()
    for (const [key, item] of value) copied.set(copyAny(key), copyAny(item))
    return copied
  }
  if (value instanceof Set) return new Set([...value].map(copyAny))
  if (!isPlain(value)) return structuredClone(value)
  const copied: Record<string, unknown> = {}
  for (const key of Object.keys(value)) {
    // Assigned, it would become the prototype.
    if (key === "__proto__") return structuredClone(value)
    copied[key] = copyAny((value as Record<string, unknown>)[key])
  }
  return copied
}

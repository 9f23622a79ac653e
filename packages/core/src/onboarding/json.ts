/** The most bytes that the steps of a flow have together as JSON [G8.1]. */
export const maxStepsBytes = 64 * 1024

/** The most bytes that the answers of a step have as JSON [G8.1]. */
export const maxAnswersBytes = 16 * 1024

/** The size of a value as JSON, in bytes of UTF-8. */
export const jsonBytes = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length

/** Whether two JSON values are equal. The order of an object's keys does not matter. */
export const isSameJson = (one: unknown, other: unknown): boolean => {
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return one === other
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const keys = Object.keys(one)
  return (
    keys.length === Object.keys(other).length &&
    keys.every(
      (key) => Object.hasOwn(other, key) && isSameJson(one[key as keyof typeof one], other[key as keyof typeof other]),
    )
  )
}

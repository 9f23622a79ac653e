const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The object that was typed as JSON; undefined where nothing was. Throws a sentence that names the field. */
export const readJson = (name: string, text: string): Record<string, unknown> | undefined => {
  if (text.trim() === "") return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new Error(`${name} is not JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
  if (!isObject(value)) throw new Error(`${name} must be a JSON object, like {"item": 1}.`)
  return value
}

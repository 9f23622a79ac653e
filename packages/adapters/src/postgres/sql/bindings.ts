/** The values of a statement that is built from parts. */
export interface Bindings {
  /** The placeholder of a value, with its type. Equal values share one. */
  bind(value: string | number | boolean | Date, type: string): string
  /** The placeholder of a list of such values. */
  bindAll(values: ReadonlyArray<string | number>, type: string): string
  readonly values: ReadonlyArray<unknown>
}

/** Bindings without values. */
export const makeBindings = (): Bindings => {
  const values: Array<unknown> = []
  const placeholders = new Map<string, string>()
  return {
    values,
    bind: (value, type) => {
      const key = `${type} ${JSON.stringify(value)}`
      const placeholder = placeholders.get(key) ?? `$${values.push(value)}::${type}`
      placeholders.set(key, placeholder)
      return placeholder
    },
    bindAll: (list, type) => `$${values.push(list)}::${type}[]`,
  }
}

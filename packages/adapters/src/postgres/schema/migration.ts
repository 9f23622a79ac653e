/** A step of a schema. A released step never changes; later changes are steps of their own. */
export interface SchemaStep {
  /** Its number of four digits, and what it is about. */
  readonly name: string
  /** Run in one transaction, all of them or none; the one of a `concurrently` step outside of any. */
  readonly statements: ReadonlyArray<string>
  /** The oldest release that may run on the schema after this step. Only a contracting step names one. */
  readonly needs?: string
  /** The index that the step builds while others write. */
  readonly concurrently?: string
}

/**
 * Declares a step that expands a schema: the release before must be able to run on it (docs/adr/0016). It is done while
 * that release serves, so it takes no lock for long.
 */
export const schemaStep = (name: string, statements: ReadonlyArray<string>): SchemaStep => ({ name, statements })

/**
 * Declares a step that takes something away, or demands something, that older releases rely on. `needs` is the oldest
 * release that does without it; older ones refuse to run from then on.
 */
export const contractingStep = (name: string, needs: string, statements: ReadonlyArray<string>): SchemaStep => ({
  name,
  needs,
  statements,
})

/**
 * Declares a step that is one `create index concurrently`. A database is used while only such steps are missing, so the
 * code of the same release must do without the index. A half-made index is dropped before the next try.
 */
export const concurrentStep = (name: string, statement: string): SchemaStep => {
  const [, index] = /^create (?:unique )?index concurrently ([a-z0-9_]+) on /.exec(statement) ?? []
  if (index === undefined) throw new Error(`${name} must be one "create index concurrently <name> on …".`)
  return { name, concurrently: index, statements: [statement] }
}

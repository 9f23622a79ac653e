interface Nameable {
  readonly text: string
  readonly values: ReadonlyArray<unknown>
  readonly name?: string
}

// A text is prepared when a connection runs it for the third time: those that are put together anew each time never are.
const runsBefore = 2
// The server keeps a plan for each until the connection is closed.
const mostPrepared = 100
const mostCounted = 500
// A plan that is kept is made for a few values. For more of them the server plans each time.
const mostItems = 16
const mostCharacters = 4_096

const isShort = (value: unknown) =>
  Array.isArray(value) ? value.length <= mostItems : typeof value !== "string" || value.length <= mostCharacters

// Without values a text may hold several statements, and those cannot be prepared.
const isSingle = ({ text, values }: Nameable) =>
  /^\s*(?:select|with|insert|update|delete)\s/i.test(text) && (values.length > 0 || !text.includes(";"))

/**
 * Names the statements of one connection where that pays: where a text has been run often and the values are few and short. To
 * parse and plan a statement of many parts costs more than to run it for a few rows. The number of names is bounded.
 */
export const nameStatements = (): (<Given extends Nameable>(statement: Given) => Given) => {
  const runs = new Map<string, number>()
  const names = new Map<string, string>()

  const nameText = (text: string): string | undefined => {
    const known = names.get(text)
    if (known !== undefined || names.size >= mostPrepared) return known
    const before = runs.get(text) ?? 0
    if (before < runsBefore) {
      if (runs.size >= mostCounted) runs.clear()
      runs.set(text, before + 1)
      return undefined
    }
    runs.delete(text)
    const name = `often-${names.size}`
    names.set(text, name)
    return name
  }

  return (statement) => {
    if (statement.name !== undefined || !isSingle(statement) || !statement.values.every(isShort)) return statement
    const name = nameText(statement.text)
    return name === undefined ? statement : { ...statement, name }
  }
}

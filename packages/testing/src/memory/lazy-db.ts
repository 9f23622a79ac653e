import type { Clock } from "@hearth/core"
import { Effect } from "effect"
import type { MemoryParts, SectionShapes } from "../feature.ts"
import { withRules } from "./arguments.ts"
import type { Statements } from "./database.ts"

interface Part {
  readonly rules?: Parameters<typeof withRules>[1]
  readonly make: (parts: MemoryParts) => object
}

const noStatements: Statements = { query: () => Effect.never, change: () => Effect.never }

/**
 * Makes databases over statements. The repositories of a part are made when one of them is first read: a transaction uses few of
 * all. Spreading a database makes them all.
 */
export const lazyDb = <Db extends object>(
  parts: ReadonlyArray<Part>,
  clock: Clock,
  sections: SectionShapes,
): ((statements: Statements) => Db) => {
  const partOf = new Map<PropertyKey, Part>(
    parts.flatMap((part) =>
      Object.keys(part.make({ statements: noStatements, clock, sections })).map((name) => [name, part] as const),
    ),
  )
  const names = [...partOf.keys()] as ReadonlyArray<string>

  interface State {
    readonly statements: Statements
    /** By name. */
    readonly made: Map<PropertyKey, unknown>
  }
  const make = ({ statements, made }: State, name: PropertyKey) => {
    const part = partOf.get(name)
    if (part === undefined) return undefined
    const repositories = part.make({ statements, clock, sections }) as Readonly<Record<string, unknown>>
    const checked = part.rules === undefined ? repositories : withRules(repositories, part.rules, statements)
    for (const each of Object.keys(repositories)) made.set(each, checked[each])
    return made.get(name)
  }
  const read = (state: State, name: PropertyKey) => state.made.get(name) ?? make(state, name)
  // One for all, because so many properties with getters of their own would take longer than a transaction's statements.
  const handler: ProxyHandler<State> = {
    get: read,
    has: (_, name) => partOf.has(name),
    ownKeys: () => [...names],
    getOwnPropertyDescriptor: (state, name) =>
      partOf.has(name) ? { value: read(state, name), enumerable: true, configurable: true } : undefined,
  }
  return (statements) => new Proxy<State>({ statements, made: new Map() }, handler) as unknown as Db
}

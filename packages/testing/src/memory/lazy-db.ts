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

  return (statements) => {
    const made = new Map<Part, Readonly<Record<string, unknown>>>()
    const make = (part: Part) => {
      const repositories = part.make({ statements, clock, sections }) as Readonly<Record<string, unknown>>
      return part.rules === undefined ? repositories : withRules(repositories, part.rules, statements)
    }
    const repositoryOf = (name: PropertyKey) => {
      const part = partOf.get(name)
      if (part === undefined) return undefined
      const repositories = made.get(part) ?? make(part)
      made.set(part, repositories)
      return repositories[String(name)]
    }
    // Made once per transaction: so many properties with getters of their own would take longer than its statements.
    return new Proxy(Object.create(null), {
      get: (_, name) => repositoryOf(name),
      has: (_, name) => partOf.has(name),
      ownKeys: () => [...names],
      getOwnPropertyDescriptor: (_, name) =>
        partOf.has(name) ? { value: repositoryOf(name), enumerable: true, configurable: true } : undefined,
    }) as Db
  }
}

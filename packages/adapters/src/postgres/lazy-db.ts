import type { Clock } from "@hearth/core"
import type { Statements } from "./connections/statements.ts"
import type { Repositories } from "./feature.ts"
import type { Shapes } from "./schema/schema.ts"

type MakeRepository = (statements: Statements, shapes: Shapes, clock: Clock) => unknown

/** Makes databases over statements. Each of their repositories is made once, when it is first asked for. */
export const lazyDb = <Db extends object>(
  repositories: Repositories<Db>,
  shapes: Shapes,
  clock: Clock,
): ((statements: Statements) => Db) => {
  // A class, because an object with as many getters takes microseconds to make.
  class Lazy {
    readonly #statements: Statements
    constructor(statements: Statements) {
      this.#statements = statements
    }
    static define(name: string, make: MakeRepository) {
      Object.defineProperty(Lazy.prototype, name, {
        get(this: Lazy) {
          const value = make(this.#statements, shapes, clock)
          Object.defineProperty(this, name, { value })
          return value
        },
      })
    }
  }
  for (const [name, make] of Object.entries<MakeRepository>(repositories)) Lazy.define(name, make)
  return (statements) => new Lazy(statements) as unknown as Db
}

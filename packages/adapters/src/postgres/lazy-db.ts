import type { Clock } from "@hearth/core"
import type { Statements } from "./connections/statements.ts"
import type { Repositories } from "./feature.ts"
import type { Shapes } from "./schema/schema.ts"

type MakeRepository = (statements: Statements, shapes: Shapes, clock: Clock) => unknown

/** Makes databases over statements. Each repository is made once, when it is first read. */
export const lazyDb = <Db extends object>(
  repositories: Repositories<Db>,
  shapes: Shapes,
  clock: Clock,
): ((statements: Statements) => Db) => {
  // A class, because making an object with as many getters takes microseconds.
  class Lazy {
    readonly #statements: Statements
    readonly #made: Array<unknown> = []
    constructor(statements: Statements) {
      this.#statements = statements
    }
    static define(at: number, name: string, make: MakeRepository) {
      Object.defineProperty(Lazy.prototype, name, {
        get(this: Lazy) {
          this.#made[at] ??= make(this.#statements, shapes, clock)
          return this.#made[at]
        },
      })
    }
  }
  for (const [at, [name, make]] of Object.entries<MakeRepository>(repositories).entries()) Lazy.define(at, name, make)
  return (statements) => new Lazy(statements) as unknown as Db
}

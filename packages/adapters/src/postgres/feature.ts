import type { Clock } from "@hearth/core"
import type { EntitySchema } from "@mikro-orm/core"
import type { Statements } from "./connections/statements.ts"
import type { SchemaStep } from "./schema/migration.ts"
import type { Shapes } from "./schema/schema.ts"

/** How each repository of `Db` is made, by its name. */
export type Repositories<Db> = {
  readonly [Name in keyof Db]: (statements: Statements, shapes: Shapes, clock: Clock) => Db[Name]
}

/** What a feature brings to a kind of database. */
export interface FeaturePart<Part> {
  /** Its tables. */
  readonly entities: ReadonlyArray<EntitySchema>
  /** Its migration steps. The numbers of all features' steps are consecutive and unique. */
  readonly steps?: ReadonlyArray<SchemaStep>
  readonly repositories: Repositories<Part>
}

/** A feature that keeps something in the databases of projects. */
export interface TenantFeature<Part> {
  readonly tenant: FeaturePart<Part>
}

/** A feature that keeps something in the control database. */
export interface ControlFeature<Part> {
  readonly control: FeaturePart<Part>
}

/** The intersection of the parts. */
type Sum<Part> = (Part extends unknown ? (part: Part) => void : never) extends (sum: infer All) => void ? All : never

/** Merges the parts into one object. */
export const sumUp = <Part extends object>(parts: ReadonlyArray<Part>): Sum<Part> => Object.assign({}, ...parts)

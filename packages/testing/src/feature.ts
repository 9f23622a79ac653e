import type { Clock, ControlDb, TenantDb } from "@hearth/core"
import type { DatabaseUnderTest } from "./contracts/database-under-test.ts"
import type { Statements } from "./memory/database.ts"
import type { Shape } from "./memory/shape.ts"

/** A suite of what every adapter promises about one subject. `open` answers a database that only this suite uses. */
export type Contract<Db> = (open: () => Promise<DatabaseUnderTest<Db>>) => void

/** Tables in memory by the names that they have in the file about a user. */
export type SectionShapes = Readonly<Record<string, Shape>>

/** What repositories in memory are made of. */
export interface MemoryParts {
  readonly statements: Statements
  readonly clock: Clock
  /** Those of all features. */
  readonly sections: SectionShapes
}

/** What a feature brings to a kind of database, `Part` of `Db`. */
export interface FeaturePart<Part, Db> {
  /** Its tables in memory. */
  readonly shapes: ReadonlyArray<Shape>
  /** Those of its tables that the file about a user is read from. */
  readonly sections?: SectionShapes
  /** Its repositories in memory. */
  readonly make: (parts: MemoryParts) => Part
  /** What every adapter promises about them. */
  readonly contracts: ReadonlyArray<Contract<Db>>
}

/** A feature that keeps something in the databases of projects. */
export interface TenantFeature<Part> {
  readonly tenant: FeaturePart<Part, TenantDb>
}

/** A feature that keeps something in the control database. */
export interface ControlFeature<Part> {
  readonly control: FeaturePart<Part, ControlDb>
}

/** The intersection of the parts. */
type Sum<Part> = (Part extends unknown ? (part: Part) => void : never) extends (sum: infer All) => void ? All : never

/** Merges the parts into one object. */
export const sumUp = <Part extends object>(parts: ReadonlyArray<Part>): Sum<Part> => Object.assign({}, ...parts)

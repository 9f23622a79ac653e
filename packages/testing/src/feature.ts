import type { Clock } from "@hearth/core"
import type { ArgumentRules } from "./memory/arguments.ts"
import type { Statements } from "./memory/database.ts"
import type { Shape } from "./memory/shape.ts"

/** Tables in memory by the names that they have in the file about a user. */
export type SectionShapes = Readonly<Record<string, Shape>>

/** What repositories in memory are made of. */
export interface MemoryParts {
  readonly statements: Statements
  readonly clock: Clock
  /** Those of all features. */
  readonly sections: SectionShapes
}

/** What a feature brings to a kind of database in memory, besides its contract suites (suites.ts). */
export interface FeaturePart<Part> {
  /** Its tables in memory. */
  readonly shapes: ReadonlyArray<Shape>
  /** Those of its tables that the file about a user is read from. */
  readonly sections?: SectionShapes
  /** What the methods of its repositories are given, beside rows. */
  readonly rules?: ArgumentRules<Part>
  /** Its repositories in memory. */
  readonly make: (parts: MemoryParts) => Part
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

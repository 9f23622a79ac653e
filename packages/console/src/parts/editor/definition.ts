import type { Component } from "solid-js"
import type { Columns } from "../tables/table.tsx"
import type { FieldDescription } from "./field-kind.ts"
import type { Values } from "./merge.ts"

/** The parameters of every call about a project. */
export interface ProjectPath {
  readonly projectId: string
}

/** A page of a list. */
export interface Slice<Row> {
  readonly data: ReadonlyArray<Row>
  readonly total: number
  readonly offset: number
  readonly limit: number
  readonly next_cursor?: string | null
}

/** How a sort of definition is listed, read and written. `New` and `Changes` are the bodies that the service takes. */
export interface Definition<Row extends { readonly id: string }, New, Changes> {
  /** Under `/projects/:projectId/`; the beginning of the keys of its queries, too. */
  readonly path: string
  /** The page that lists them, where it is not at `path`. */
  readonly home?: string
  /** Of the list. */
  readonly title: string
  /** One of them, in a word or two. */
  readonly noun: string
  /** What they are for, in a sentence or two: said above the list. */
  readonly about: string
  readonly sayName: (row: Row) => string
  readonly columns: Columns<Row>
  readonly fields: ReadonlyArray<FieldDescription<Extract<keyof New | keyof Changes, string>>>
  /** What a new one begins with. */
  readonly blank: Values
  readonly list: (
    path: ProjectPath,
    query: { readonly limit: number; readonly offset?: number; readonly cursor?: string },
    signal?: AbortSignal,
  ) => Promise<Slice<Row>>
  /** Whether there can be so many that the list is read on by a cursor. */
  readonly isLong?: boolean
  /** Reads one; the whole list is looked through where this is left out. */
  readonly read?: (path: ProjectPath, id: string, signal?: AbortSignal) => Promise<Row>
  readonly create: (path: ProjectPath, body: New) => Promise<Row>
  readonly change: (path: ProjectPath, id: string, body: Changes) => Promise<Row>
  readonly remove: (path: ProjectPath, id: string) => Promise<unknown>
  /** What is lost when one is removed, in a sentence. */
  readonly removing: string
  /** Whether it can be changed at all. */
  readonly isEditable?: (row: Row) => boolean
  /** What is below the form of one: members, entries, listings. */
  readonly Below?: Component<{ readonly row: Row }>
  /** What is above the list. */
  readonly Above?: Component
}

import type { Slice } from "@hearth/core"
import { anId } from "../../builders.ts"

/** What calls are given. Each look at a property is an argument of its own. */
export interface Arguments {
  readonly id: string
  readonly limit: number
  readonly at: Date
  readonly day: string
  readonly text: string
  readonly slice: Slice
}

type Kind = keyof Arguments

/** Values that no adapter takes, since PostgreSQL does not. */
const impossible: { readonly [Name in Kind]: ReadonlyArray<Arguments[Name]> } = {
  id: ["17", ""],
  limit: [-1, 0.5],
  at: [new Date(Number.NaN), new Date("+010000-01-01T00:00:00.000Z")],
  day: ["2026-02-30"],
  text: ["NUL \u0000"],
  slice: [
    { limit: -1, offset: 0 },
    { limit: 5, offset: -1 },
  ],
}

const kinds = Object.keys(impossible) as ReadonlyArray<Kind>

/** Arguments that are good, but for the one that is looked at as number `place` (from 0), which is `instead`. */
const make = (looked: Array<Kind>, given: Partial<Arguments>, place = -1, instead?: unknown): Arguments => {
  const good: Arguments = {
    ...{ id: anId(), limit: 5, at: new Date("2026-03-02T12:00:00.000Z"), day: "2026-03-02", text: "text" },
    ...{ slice: { limit: 5, offset: 0 } },
    ...given,
  }
  const properties = kinds.map((kind) => [
    kind,
    {
      get: () => {
        looked.push(kind)
        return looked.length === place + 1 ? instead : good[kind]
      },
    },
  ])
  return Object.defineProperties({}, Object.fromEntries(properties)) as Arguments
}

/** Good arguments, and a list in which every look at one of them is noted. */
export const goodArguments = (given: Partial<Arguments> = {}) => {
  const looked: Array<Kind> = []
  return { looked, given: make(looked, given) }
}

/** For each of the arguments that a call has looked at, arguments of which that one is impossible, each with what it is. */
export const badArguments = (looked: ReadonlyArray<Kind>): ReadonlyArray<readonly [string, Arguments]> =>
  looked.flatMap((kind, place) =>
    impossible[kind].map((value) => {
      const shown = value instanceof Date ? String(value.getTime()) : JSON.stringify(value)
      return [`argument ${place + 1}: ${kind} ${shown}`, make([], {}, place, value)] as const
    }),
  )

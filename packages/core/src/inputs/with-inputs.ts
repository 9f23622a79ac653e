import { Effect } from "effect"
import type { InvalidInput } from "../failure.ts"
import {
  type IdRule,
  type IdsRule,
  type InputRule,
  type OptionsRule,
  type RecordRule,
  readId,
  type ValueRule,
  withRules,
} from "./rules.ts"

type Arguments = ReadonlyArray<unknown>
type Rules = ReadonlyArray<InputRule>

/** What a caller gives for an argument of type `A`. */
type Given<A, Rule> =
  Rule extends RecordRule<infer S, boolean>
    ? S["~type.make.in"]
    : Rule extends OptionsRule<infer D>
      ? Omit<A, keyof D> & Partial<Pick<A, keyof A & keyof D>>
      : A

type GivenEach<A extends Arguments, R extends Rules> = {
  readonly [Index in keyof A]: Index extends keyof R ? Given<A[Index], R[Index]> : A[Index]
}

type MayBeLeftOut<Rule, A> =
  Rule extends RecordRule<infer _, infer Optional>
    ? Optional
    : Rule extends IdRule | ValueRule
      ? Rule["isOptional"]
      : Rule extends OptionsRule
        ? Partial<A> extends A
          ? true
          : false
        : false

/** `A`, whose last arguments may be left out where their rules say so. */
type LeaveOut<A extends Arguments, R extends Rules> = A extends readonly [...infer First, infer Last]
  ? R extends readonly [...infer Before extends Rules, infer Rule]
    ? A["length"] extends R["length"]
      ? MayBeLeftOut<Rule, Last> extends true
        ? readonly [...LeaveOut<First, Before>, input?: Last]
        : A
      : A
    : A
  : A

type IsPlain<R extends Rules> = R[number] extends IdsRule | { readonly kind: "id"; readonly isOptional: false }
  ? true
  : false

type MayBeInvalid<R extends Rules> =
  Extract<R[number], RecordRule | OptionsRule | ValueRule> extends never ? false : true

type Answer<T, R extends Rules> =
  MayBeInvalid<R> extends true
    ? T extends Effect.Effect<infer A, infer E, infer S>
      ? Effect.Effect<A, E | InvalidInput, S>
      : T
    : T

type UseCase<F, R extends Rules> =
  IsPlain<R> extends true
    ? F
    : F extends (...args: infer A) => infer T
      ? (...args: LeaveOut<GivenEach<A, R>, R>) => Answer<T, R>
      : never

/** Use cases, as they are called: without what has a default. */
export type WithInputs<Features, AllRules> = {
  readonly [Name in keyof Features]: Name extends keyof AllRules
    ? AllRules[Name] extends Rules
      ? UseCase<Features[Name], AllRules[Name]>
      : WithInputs<Features[Name], AllRules[Name]>
    : Features[Name]
}

type Group = Readonly<Record<string, unknown>>

/** `run` of a use case, whose first argument is this project. */
type InProject = (projectId: string, run: Effect.Effect<unknown, unknown>) => Effect.Effect<unknown, unknown>

const wrapUseCase = (useCase: never, rules: Rules, inProject: InProject) => {
  const run = withRules(useCase, rules)
  if (rules[0]?.kind !== "id") return run
  return (...given: Arguments) => {
    const answer = run(...given)
    return Effect.isEffect(answer) ? inProject(readId(given[0]), answer as Effect.Effect<unknown, unknown>) : answer
  }
}

const wrap = (features: Group, rules: Group, inProject: InProject): Group =>
  Object.fromEntries(
    Object.entries(features).map(([name, feature]) => {
      const rule = rules[name]
      if (rule === undefined) return [name, feature]
      const wrapped = Array.isArray(rule)
        ? wrapUseCase(feature as never, rule, inProject)
        : wrap(feature as Group, rule as Group, inProject)
      return [name, wrapped]
    }),
  )

/**
 * `features`, whose use cases read their arguments by `rules`: what may be left out has its default, records and options are checked as
 * HTTP checks them (`InvalidInput`), and an id that is no uuid is one that nobody has. `inProject` is what becomes of a use case of a project: it
 * makes the failure for a project that there is not.
 */
export const withInputs = <const Features extends object, const AllRules extends Group>(
  features: Features,
  rules: AllRules,
  inProject: InProject = (_, run) => run,
): WithInputs<Features, AllRules> => wrap(features as Group, rules, inProject) as never

import type { InputRule } from "../src/inputs/rules.ts"
import { inputRules } from "../src/inputs/use-cases.ts"

/** A use case with a rule, by its path. */
export interface RuledUseCase {
  readonly path: string
  readonly run: (...args: ReadonlyArray<unknown>) => unknown
  readonly rules: ReadonlyArray<InputRule>
}

/** Every use case that has a rule. */
export const findUseCases = (core: object, rules: object = inputRules, path = ""): ReadonlyArray<RuledUseCase> =>
  Object.entries(rules).flatMap(([name, rule]) => {
    const found = (core as Record<string, unknown>)[name]
    if (!Array.isArray(rule)) return findUseCases(found as object, rule, `${path}${name}.`)
    return [{ path: `${path}${name}`, run: found as RuledUseCase["run"], rules: rule }]
  })

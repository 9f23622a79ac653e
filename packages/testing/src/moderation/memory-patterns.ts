import { maxPatternSteps, type Patterns } from "@hearth/core/moderation"
import { Effect } from "effect"
import { RE2JS, RE2JSException } from "re2js"

const compile = (pattern: string) => RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE)

/** Real patterns, one after the other. */
export const memoryPatterns: Patterns = {
  findFault: (pattern) => {
    try {
      return compile(pattern).programSize() <= maxPatternSteps
        ? null
        : `must compile to at most ${maxPatternSteps} steps`
    } catch (error) {
      if (error instanceof RE2JSException) return error.message
      throw error
    }
  },
  compile: (patterns) => {
    const all = patterns.map(compile)
    const steps = all.reduce((sum, pattern) => sum + pattern.programSize(), 0)
    const match = (text: string) => [...all.keys()].filter((at) => all[at]?.test(text))
    return [{ bytes: 0, steps, match, matchApart: (text) => Effect.sync(() => match(text)) }]
  },
}

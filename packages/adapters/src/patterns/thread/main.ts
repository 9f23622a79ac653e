import { parentPort } from "node:worker_threads"
import { compileSet } from "../compile-set.ts"
import type { MatchAnswer, MatchRequest } from "./messages.ts"

// The thread of `match-in-thread.ts`. What it imports is loaded once more for it: nothing that needs effect.

// Compiled patterns, those that were matched last at the end.
const mostSets = 16
const sets = new Map<string, ReturnType<typeof compileSet>>()

const findSet = (patterns: ReadonlyArray<string>, bytes: number) => {
  const key = JSON.stringify([bytes, patterns])
  const match = sets.get(key) ?? compileSet(patterns, bytes)
  sets.delete(key)
  sets.set(key, match)
  const [oldest] = sets.keys()
  if (sets.size > mostSets && oldest !== undefined) sets.delete(oldest)
  return match
}

parentPort?.on("message", ({ id, patterns, bytes, text }: MatchRequest) => {
  parentPort?.postMessage({ id, found: findSet(patterns, bytes)(text) } satisfies MatchAnswer)
})

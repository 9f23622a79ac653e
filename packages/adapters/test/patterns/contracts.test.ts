import { maxPatternSteps } from "@hearth/core/moderation"
import { patternsContract } from "@hearth/testing/contracts"
import { describe, expect, it } from "vitest"
import { re2Patterns } from "../../src/patterns/index.ts"

const compiler = re2Patterns({ emit: () => {} })

patternsContract("re2js", compiler)

describe("patterns that are matched together", () => {
  const patterns = Array.from({ length: 200 }, (_, at) => `.*a.{${150 + (at % 80)}}z${at}`)
  const groups = [...compiler.compile(patterns)]

  it("have together no more steps than one may have: all 200 at once took 8 s for a text", () => {
    expect(groups.length).toBeGreaterThan(1)
    expect(groups.filter(({ steps }) => steps > maxPatternSteps)).toEqual([])
  })

  it("are each found, whatever their group is", () => {
    const found = (text: string) => groups.flatMap((group) => group.match(text))
    for (const at of [0, 99, 199]) expect(found(`a${"b".repeat(150 + (at % 80))}z${at}!`)).toContain(at)
  })

  it("are few where the patterns are small", () => {
    const small = Array.from({ length: 100 }, (_, at) => `\\bword${at}\\s+other\\b`)
    expect([...compiler.compile(small)]).toHaveLength(1)
  })
})

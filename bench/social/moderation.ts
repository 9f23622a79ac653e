import { re2Patterns, systemClock } from "@hearth/adapters"
import { makeModerate } from "@hearth/core/moderation"
import { Effect } from "effect"
import { atMost, type Figure, median } from "../harness/figure.ts"
import { openInProcess } from "../harness/in-process.ts"

const [keywords, patterns, length] = [1_000, 100, 1_000]
const [warmUp, texts, rounds] = [2_000, 500, 7]

/** Numbers that look random, and are the same in every run. */
const makeRandom = (seed: number) => {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const random = makeRandom(7)
const aWord = () => Array.from({ length: 3 + random(7) }, () => String.fromCharCode(97 + random(26))).join("")
const aText = () => {
  let text = ""
  while (text.length < length) text += `${random(9) === 0 ? `É${aWord()}` : aWord()}${random(8) === 0 ? ". " : " "}`
  return text.slice(0, length)
}

const aPattern = (at: number) =>
  [`\\b${aWord()}\\s+${aWord()}\\b`, `${aWord()}[0-9]{2,4}`, `(?:${aWord()}|${aWord()})+x!`, `[a-z]+${aWord()}@[a-z]+`][
    at % 4
  ]

/** The CPU of reading a text of 1,000 characters by 1,000 keywords in four rules, 100 patterns and a list of domains. */
export const moderation = async (): Promise<ReadonlyArray<Figure>> => {
  const hearth = await openInProcess()
  const { core, ids, postgres } = hearth
  const project = await hearth.newProject("Moderation")
  const create = (rule_type: string, config: object) =>
    Effect.runPromise(
      core.moderation.rules.create(project.id, { name: rule_type, rule_type, config: { ...config }, is_active: true }),
    )
  for (const match of ["word", "substring", "word", "substring"])
    await create("keyword", { keywords: Array.from({ length: keywords / 4 }, () => `${aWord()}q${aWord()}`), match })
  for (let at = 0; at < patterns; at++) await create("regex", { pattern: aPattern(at) })
  await create("link", { deny_domains: ["evil.example"] })

  const { revocations, tenants } = postgres
  const moderate = makeModerate({
    clock: systemClock,
    ids,
    patterns: re2Patterns({ emit: () => {} }),
    revocations,
    tenants,
  })
  const check = (text: string) => Effect.runPromise(moderate.check(project.id, { texts: [text], urls: [] }))
  const many = Array.from({ length: texts }, aText)
  for (let n = 0; n < warmUp; n++) await check(many[n % texts] ?? "")
  const figures: Array<number> = []
  for (let round = 0; round < rounds; round++) {
    const fresh = Array.from({ length: texts }, aText)
    const before = process.cpuUsage()
    for (const text of fresh) await check(text)
    const { user, system } = process.cpuUsage(before)
    figures.push((user + system) / 1_000 / texts)
  }
  await hearth.close()
  return [
    atMost("Moderation of 1,000 characters by 1,000 keywords and 100 patterns, CPU", "ms", median(figures), 0.2, 3),
  ]
}

import { Effect, Schema } from "effect"
import { limitLookups } from "../access/limit-lookups.ts"
import type { Ports } from "../ports/ports.ts"
import { Count, Json, Text, Uuid } from "../schema.ts"
import { together } from "../together.ts"
import { compileRules } from "./compile-rules.ts"
import { ContentType, type DatedContent, type ModeratedContent } from "./content.ts"
import { parseConfig, type RuleConfig } from "./parse-config.ts"

/** How many texts a preview reads [I6.5], for how long, and how many of those that match it shows. */
const [mostTexts, mostMillis, sampleSize] = [1_000, 2_000, 20]
// After so long others have a turn.
const pieceMillis = 10
// So many texts are read at once: each may be of 80 KB, with a row around it that is as large.
const textsAtOnce = 20

/** A rule to try. */
export const RulePreviewInput = Schema.Struct({ rule_type: Text, config: Json }).annotate({
  identifier: "RulePreviewInput",
})
export type RulePreviewInput = typeof RulePreviewInput.Type

/** What a rule would have matched: of how many of the newest texts how many, and the newest of them. */
export const RulePreview = Schema.Struct({
  checked: Count,
  matches: Count,
  sample: Schema.Array(
    Schema.Struct({
      content_type: ContentType,
      content_id: Uuid,
      app_user_id: Schema.NullOr(Uuid),
      excerpt: Schema.String,
    }),
  ),
}).annotate({ identifier: "RulePreview" })
export type RulePreview = typeof RulePreview.Type

/** Tries a rule on the newest texts of clients [I6.5], of a project one at once in a process. Nothing is changed. */
export const makeRulePreview = <Db>(
  { clock, patterns, tenants }: Pick<Ports<Db>, "clock" | "patterns" | "tenants">,
  contents: ReadonlyArray<ModeratedContent<Db>>,
) => {
  const inLine = limitLookups(1)

  const listNewest = (db: Db) =>
    Effect.map(
      Effect.forEach(contents, (content) =>
        Effect.map(content.newest(db, mostTexts), (found) => found.map((each) => ({ ...each, content }))),
      ),
      (found) =>
        found
          .flat()
          .toSorted((a, b) => b.created_at.getTime() - a.created_at.getTime())
          .slice(0, mostTexts),
    )

  /** What these are by now; null for what is gone. */
  const readTexts = (
    projectId: string,
    some: ReadonlyArray<DatedContent & { readonly content: ModeratedContent<Db> }>,
  ) => tenants.read(projectId, (db) => together(some.map(({ content, id }) => content.find(db, id, { lock: false }))))

  const tryRule = Effect.fnUntraced(function* (projectId: string, rule: RuleConfig) {
    const rules = yield* compileRules([{ id: "preview", config: rule }], { clock, patterns }, (match) => match)
    let turn = clock.now().getTime()
    const until = turn + mostMillis
    const newest = yield* tenants.read(projectId, listNewest)
    let [checked, matches] = [0, 0]
    const sample: Array<RulePreview["sample"][number]> = []
    let texts: Effect.Success<ReturnType<typeof readTexts>> = []
    for (const at of newest.keys()) {
      const now = clock.now().getTime()
      if (checked > 0 && now > until) break
      if (now > turn + pieceMillis) {
        yield* Effect.yieldNow
        turn = clock.now().getTime()
      }
      const place = at % textsAtOnce
      if (place === 0) texts = yield* readTexts(projectId, newest.slice(at, at + textsAtOnce))
      const submission = texts[place] ?? null
      if (submission === null) continue
      checked += 1
      const match = yield* rules.match(submission)
      if (match === null) continue
      matches += 1
      const { content_type, content_id, app_user_id } = submission
      if (sample.length < sampleSize)
        sample.push({ content_type, content_id, app_user_id, excerpt: yield* rules.excerpt(match) })
    }
    return { checked, matches, sample } satisfies RulePreview
  })

  return Effect.fn("moderation.preview")(function* (projectId: string, { rule_type, config }: RulePreviewInput) {
    const rule = yield* Effect.fromResult(parseConfig(rule_type, config, patterns))
    return yield* inLine(projectId, tryRule(projectId, rule))
  })
}

import type { NewContentItem } from "@hearth/core/content"
import { Effect } from "effect"
import { connectTo } from "../harness/database.ts"
import { atMost, type Figure, measureInTurns } from "../harness/figure.ts"
import { openInProcess } from "../harness/in-process.ts"
import { recordStatements } from "../harness/sent-statements.ts"

const items = 5_000
const rounds = 11

const columns = `id, library_id, title, body, media_url, category, tags, metadata, is_premium, is_active, sort_order,
  owner_app_user_id, moderation, created_at, updated_at`

// The least that an import must do: the same rows by one statement, which is told where they go.
const plainImport = `
  insert into content_items (${columns})
  select gen_random_uuid(), $1, title, body, media_url, category, tags, metadata, is_premium, true, $2::int + ordinal,
    null, 'shown', now(), now()
  from rows from (jsonb_to_recordset($3::jsonb) as (title text, body text, media_url text, category text, tags jsonb,
    metadata jsonb, is_premium boolean)) with ordinality
    as rows (title, body, media_url, category, tags, metadata, is_premium, ordinal)`

const anItem = (at: number): NewContentItem => ({
  ...{ title: `Tip ${at}`, body: `${"Drink a glass of water before breakfast. ".repeat(8)}${at}`, category: "health" },
  ...{ media_url: "https://media.example/tip.png", tags: ["water", "morning"], metadata: { source: "bench", at } },
  is_premium: at % 10 === 0,
})

/** An import of five thousand items: how many statements it takes, and how long against one that writes the same rows. */
export const content = async (): Promise<ReadonlyArray<Figure>> => {
  const hearth = await openInProcess()
  const { core } = hearth
  const project = await hearth.newProject("Content")
  const database = await connectTo(hearth.dataDir, project.id)
  const newLibrary = async (name: string) =>
    (
      await Effect.runPromise(
        core.content.libraries.create(project.id, { name, description: null, content_schema: null }),
      )
    ).id
  const [ours, plain] = [await newLibrary("Ours"), await newLibrary("Plain")]
  const many = Array.from({ length: items }, (_, at) => anItem(at))
  const importSome = (count: number) =>
    Effect.runPromise(core.content.items.importAll(project.id, ours, many.slice(0, count)))

  const few = await recordStatements(() => importSome(1))
  const all = await recordStatements(() => importSome(items))
  const writes = all.filter(({ text }) => /insert into content_items/.test(text)).length

  let last = 0
  const [rate, reference] = await measureInTurns(
    rounds,
    async () => (await importSome(items)).imported,
    async () => {
      await database.query(plainImport, [plain, last, JSON.stringify(many)])
      last += items
      return items
    },
  )
  await database.end()
  await hearth.close()
  return [
    {
      name: "Import of 5,000 items, statements that write",
      measured: `${writes}; ${all.length} statements in all`,
      bound: `1; as many as for one item (${few.length})`,
      kept: writes === 1 && all.length === few.length,
    },
    atMost(
      "Import of 5,000 items, time against one `insert … select`",
      `× (${((items / reference) * 1000).toFixed(0)} ms)`,
      reference / rate,
      2,
      2,
    ),
  ]
}

import { Text, Uuid } from "@hearth/core"
import { Effect, Schema } from "effect"
import { expect, it } from "vitest"
import { anId } from "../src/builders.ts"
import { memoryDatabase } from "../src/memory/database.ts"
import { describeTable } from "../src/memory/shape.ts"
import { memoryTable } from "../src/memory/table.ts"

const parents = describeTable("parents", Schema.Struct({ id: Uuid }))
const children = describeTable(
  "children",
  Schema.Struct({ id: Uuid, owner_id: Schema.NullOr(Uuid), author_id: Schema.NullOr(Uuid), name: Text }),
  { parents: { owner_id: "parents", author_id: "parents" }, cleared: ["author_id"] },
)

it("a removed parent takes its rows with it, and leaves those that only name it in a column that is cleared", async () => {
  const { outside } = memoryDatabase([parents, children])
  const [ofParents, ofChildren] = [memoryTable(outside, parents), memoryTable(outside, children)]
  const [kept, gone] = [anId(), anId()]
  const rows = [
    { id: anId(), owner_id: kept, author_id: gone, name: "stays" },
    { id: anId(), owner_id: gone, author_id: kept, name: "goes" },
    { id: anId(), owner_id: gone, author_id: gone, name: "goes, too" },
    { id: anId(), owner_id: null, author_id: null, name: "names nobody" },
  ]
  const left = await Effect.runPromise(
    Effect.gen(function* () {
      for (const id of [kept, gone]) yield* ofParents.insert({ id })
      for (const row of rows) yield* ofChildren.insert(row)
      yield* ofParents.remove({ id: gone })
      return yield* ofChildren.list({}, [])
    }),
  )
  expect(left).toEqual([{ ...rows[0], author_id: null }, rows[3]])
})

import { Text } from "@hearth/core"
import { RefusedCall } from "@hearth/core/refusals"
import { Effect, Schema } from "effect"
import { digits, paging, word } from "../http/request/query.ts"
import { pageOf } from "../http/response/answers.ts"
import { findRemedy } from "../http/response/remedies.ts"
import { route } from "./route.ts"

const RefusedCallView = Schema.Struct({
  ...RefusedCall.fields,
  what_to_do: Schema.NullOr(Text),
}).annotate({ identifier: "RefusedCall" })

/** What a developer does about a code, as a sentence that stands alone. */
const sayRemedy = (code: string, status: number): string | null => {
  const remedy = findRemedy(code, status)
  return remedy === null ? null : `${remedy.replaceAll(/\[[^\]]*\]\(([^)]*)\)/g, "docs/$1")}.`
}

/** The log of refused calls. */
export const refusalRoutes = [
  route("GET", "/admin/projects/:projectId/refusals", {
    id: "refusals.list",
    summary: "Lists the calls of the last seven days that were refused, by route and code, the latest first",
    description:
      "Start here when an app says that something does not work: `message` is what the last of them was told, without what was sent, and `what_to_do` is what helps. A call is in the list some seconds after it was refused.",
    access: "developer",
    query: { ...paging(), code: Schema.optionalKey(word), status: Schema.optionalKey(digits(400, 599)) },
    returns: pageOf(RefusedCallView),
    run: ({ core, params, query }) =>
      Effect.map(core.refusals.list(params.projectId, query), ({ rows, total }) => ({
        rows: rows.map((row) => ({ ...row, what_to_do: sayRemedy(row.code, row.status) })),
        total,
      })),
  }),
]

import { environmentExample } from "@hearth/adapters"
import { allSettings } from "../config.ts"
import { openApi } from "../http/openapi.ts"
import { rows } from "../rows/index.ts"
import { version } from "../start-server.ts"
import { apiPage, type Document } from "./api-page.ts"
import { errorsPage } from "./errors-page.ts"
import { sections } from "./sections.ts"

/** What is written from the code, by the path of the file in the repository. The same code always makes the same text. */
export const documents = (): Readonly<Record<string, string>> => {
  const listed = sections.flatMap((section) => section.rows)
  const missing = rows.find((row, index) => listed[index] !== row)
  if (missing !== undefined || listed.length !== rows.length) {
    throw new Error(
      `generate/sections.ts does not have the rows in their order, from ${missing?.path ?? "the end"} on.`,
    )
  }
  const document = openApi(rows, version)
  return {
    "docs/openapi.json": `${JSON.stringify(document, null, 2)}\n`,
    "docs/api.md": apiPage(sections, document as unknown as Document),
    "docs/errors.md": errorsPage(rows),
    ".env.example": environmentExample(allSettings),
  }
}

import { environmentExample } from "@hearth/adapters"
import { allSettings } from "../config.ts"
import { openApi } from "../http/openapi/openapi.ts"
import { routeGroups, routes } from "../routes/index.ts"
import { version } from "../version.ts"
import { type Document, renderApiPage } from "./api-page.ts"
import { renderErrorsPage } from "./errors-page.ts"

/** What is written from the code, by the path of the file in the repository. The same code always makes the same text. */
export const generateDocuments = (): Readonly<Record<string, string>> => {
  const document = openApi(routeGroups, version)
  return {
    "docs/openapi.json": `${JSON.stringify(document, null, 2)}\n`,
    "docs/api.md": renderApiPage(routeGroups, document as unknown as Document),
    "docs/errors.md": renderErrorsPage(routes),
    ".env.example": environmentExample(allSettings),
  }
}

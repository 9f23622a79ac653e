import { environmentExample } from "@hearth/adapters"
import { allSettings } from "../config.ts"
import { openApi } from "../http/openapi/openapi.ts"
import { routeGroups, routes } from "../routes/index.ts"
import { version } from "../start-server.ts"
import { apiPage, type Document } from "./api-page.ts"
import { errorsPage } from "./errors-page.ts"

/** What is written from the code, by the path of the file in the repository. The same code always makes the same text. */
export const documents = (): Readonly<Record<string, string>> => {
  const document = openApi(routeGroups, version)
  return {
    "docs/openapi.json": `${JSON.stringify(document, null, 2)}\n`,
    "docs/api.md": apiPage(routeGroups, document as unknown as Document),
    "docs/errors.md": errorsPage(routes),
    ".env.example": environmentExample(allSettings),
  }
}

import openapiTS, { astToString } from "openapi-typescript"
import { openApi } from "../http/openapi/openapi.ts"
import { routeFailures } from "../http/routing/route-failures.ts"
import { routeGroups, routes } from "../routes/index.ts"
import { version } from "../version.ts"

const folder = "packages/client/src/generated"
const heading = "// Written by `pnpm generate` from the routes in packages/server/src/routes.\n"

type Nodes = Awaited<ReturnType<typeof openapiTS>>
type Document = Exclude<Parameters<typeof openapiTS>[0], string | URL | NodeJS.ReadableStream | Buffer>
type Responses = Record<string, { headers?: unknown }>
interface Member {
  readonly name?: { readonly text?: string; readonly escapedText?: string }
  readonly members?: ReadonlyArray<Member>
  readonly type?: { readonly members?: ReadonlyArray<Member> }
}

const print = (node: Member): string => astToString(node as unknown as Nodes[number])

/** A member on a line of its own: a route or a record that changes is one line of a diff. */
const printLine = (node: Member): string =>
  print(node)
    .trim()
    .replaceAll(/\s*\n\s*/g, " ")
    .replaceAll(/\/\*\* (Format: [\w-]+|@enum \{\w+\}) \*\/ /g, "")
    // Headers that nobody names.
    .replaceAll(/headers: \{ \[name: string\]: unknown; \}; /g, "")

const nameOf = ({ name }: Member): string => name?.text ?? name?.escapedText ?? ""

const findMembers = (nodes: ReadonlyArray<Member>, name: string): ReadonlyArray<Member> =>
  nodes.find((node) => nameOf(node) === name)?.members ?? []

const printInterface = (name: string, lines: ReadonlyArray<string>): string =>
  `export interface ${name} {\n${lines.map((line) => `  ${line}\n`).join("")}}\n`

const printPath = (path: Member): string =>
  printLine(path)
    .replace(/\{ parameters: \{.*?\}; /, "{ ")
    .replaceAll(/\w+\?: never; /g, "")

const printSchemas = (kinds: ReadonlyArray<Member>): ReadonlyArray<string> => {
  const schemas = kinds.find((kind) => nameOf(kind) === "schemas")?.type?.members ?? []
  return ["schemas: {", ...schemas.map((schema) => `  ${printLine(schema)}`), "}"]
}

/** Types are open to more fields by themselves; said once more, they would let every misspelled field of a body pass. */
const closeRecords = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(closeRecords)
  if (typeof value !== "object" || value === null) return value
  const { additionalProperties, ...rest } = Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, closeRecords(inner)]),
  )
  return "properties" in rest || additionalProperties === undefined ? rest : { ...rest, additionalProperties }
}

const withoutExamples = (document: object): string =>
  JSON.stringify(document, (key, value) => (key === "example" ? undefined : value))

/** The API of both planes without its refusals, which the client throws, and without headers and examples. */
const describeSuccesses = (): Document => {
  const { paths, components, ...document } = JSON.parse(withoutExamples(openApi(routeGroups, version)))
  const wanted = Object.entries<Record<string, { responses?: Responses }>>(paths).filter(([path]) =>
    /^\/(admin|auth|client)\//.test(path),
  )
  for (const operation of wanted.flatMap(([, item]) => Object.values(item))) {
    const successes = Object.entries(operation.responses ?? {}).filter(([status]) => status.startsWith("2"))
    operation.responses = Object.fromEntries(successes.map(([status, { headers, ...response }]) => [status, response]))
  }
  return { ...document, components: { schemas: components.schemas }, paths: Object.fromEntries(wanted) }
}

const printCodes = (): string => {
  const codes = new Set(routes.flatMap((route) => [...routeFailures(route).values()].flatMap((all) => [...all.keys()])))
  return [...codes]
    .sort()
    .map((code) => `  | "${code}"\n`)
    .join("")
}

/** The types of the client's calls, by the path of the file in the repository. */
export const generateClientTypes = async (): Promise<Readonly<Record<string, string>>> => {
  const nodes = (await openapiTS(closeRecords(describeSuccesses()) as Document, {
    defaultNonNullable: false,
  })) as unknown as ReadonlyArray<Member>
  const operations = printInterface("operations", findMembers(nodes, "operations").map(printLine))
  return {
    [`${folder}/paths.ts`]: `${heading}import type { operations } from "./operations.ts"\n\n${printInterface("paths", findMembers(nodes, "paths").map(printPath))}`,
    [`${folder}/operations.ts`]: `${heading}import type { components } from "./components.ts"\n\n${operations}`,
    [`${folder}/components.ts`]: `${heading}${printInterface("components", printSchemas(findMembers(nodes, "components")))}`,
    [`${folder}/error-codes.ts`]: `${heading}/** What the service refuses calls with: docs/errors.md says what to do. */\nexport type ErrorCode =\n${printCodes()}`,
  }
}

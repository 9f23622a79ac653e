import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** The root of the workspace. */
export const root = join(import.meta.dirname, "../../../..")

interface Manifest {
  readonly name: string
  readonly private?: boolean
  readonly scripts?: { readonly prepack?: string }
  readonly publishConfig?: { readonly exports?: Readonly<Record<string, unknown>> }
}

const read = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))

/** The packages of the workspace that are published, by their names. A new one is here by itself. */
export const published = readdirSync(join(root, "packages"))
  .map((name) => join(root, "packages", name))
  .map((folder) => ({ folder, manifest: read(folder) }))
  .filter(({ manifest }) => manifest.private !== true)
  .map(({ folder, manifest: { name, scripts, publishConfig } }) => ({
    name,
    folder,
    /** Whether `tsc -b` makes its modules, and so their types. */
    isBuiltByTsc: scripts?.prepack?.startsWith("tsc -b") === true,
    /** Whether the name of the package can be imported. */
    isModule: publishConfig?.exports?.["."] !== undefined,
  }))
  .sort((a, b) => (a.name < b.name ? -1 : 1))

/** What a package has beside its build, its licence and its readme. A package that is more than modules has a line here. */
export const otherFiles: Readonly<Record<string, RegExp>> = {
  "@hearth/console": /^dist\/(index\.html|assets\/[\w.-]+\.(js|css|svg))(\.(br|gz))?$/,
  "@hearth/server":
    /^(pages\/(NOTICE|[a-z-]+\.(css|js)|scalar\/scalar-[\d.]+\.js\.(br|gz))|src\/demo\/history\/[a-z]+\.(ndjson|csv)\.gz|src\/http\/openapi\/examples\.json)$/,
}

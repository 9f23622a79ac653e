import { globSync, readFileSync, rmSync } from "node:fs"
import { join, normalize } from "node:path"

/**
 * Takes from the build of the package in this folder what none of its entries leads to: modules of types alone, and types
 * that are its own affair. A file takes a block of the disk, however short it is.
 */
const { publishConfig } = JSON.parse(readFileSync("package.json", "utf8"))
const exported = Object.values<string | Readonly<Record<string, string>>>(publishConfig.exports)
const entries = exported.flatMap((targets) => (typeof targets === "string" ? [] : Object.values(targets)))

const kindOf = (path: string): string => (path.endsWith(".d.ts") ? ".d.ts" : ".js")

const kept = new Set<string>()
const keep = (path: string): void => {
  if (kept.has(path)) return
  kept.add(path)
  for (const [, named = ""] of readFileSync(path, "utf8").matchAll(/(?:from |import |import\()"(\.[^"]+)"/g)) {
    keep(join(path, "..", named).replace(/\.[jt]s$/, kindOf(path)))
  }
}
// The star of an entry stands for folders, too.
for (const path of globSync(entries.map((entry) => entry.replace("*", "**")))) keep(normalize(path))

for (const path of globSync("dist/**/*.{js,d.ts}")) if (!kept.has(path)) rmSync(path)

import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { generateClientTypes } from "./client-types.ts"
import { generateDocuments } from "./documents.ts"

const root = join(import.meta.dirname, "../../../..")

const readIfThere = (file: string): string | null => {
  try {
    return readFileSync(file, "utf8")
  } catch {
    return null
  }
}

const documents = { ...generateDocuments(), ...(await generateClientTypes()) }
const stale = Object.entries(documents).filter(([path, text]) => readIfThere(join(root, path)) !== text)

if (!process.argv.includes("--check")) {
  for (const [path, text] of stale) {
    const file = join(root, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    console.log(`written: ${path}`)
  }
} else if (stale.length > 0) {
  for (const [path] of stale) console.error(`not up to date: ${path}`)
  console.error("Run `pnpm generate` and commit what it writes.")
  process.exit(1)
}

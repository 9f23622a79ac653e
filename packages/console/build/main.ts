import { randomUUID } from "node:crypto"
import { readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"

const home = fileURLToPath(new URL("..", import.meta.url))
const place = join(home, "dist")
const sources = ["src", "build", "index.html", "vite.config.ts", "package.json", "../client/src"]

const changedAt = async (path: string): Promise<number> => {
  const found = await stat(path).catch(() => null)
  if (found === null) return 0
  const inside = found.isDirectory() ? await readdir(path, { recursive: true }) : []
  const times = await Promise.all(inside.map(async (name) => (await stat(join(path, name))).mtimeMs))
  return Math.max(found.mtimeMs, ...times)
}

/** Whether what is there was built from the sources as they are. */
const isBuilt = async (): Promise<boolean> => {
  const times = await Promise.all(sources.map((source) => changedAt(join(home, source))))
  return (await changedAt(join(place, "index.html"))) > Math.max(...times)
}

/** Writes a file compressed beside itself; the service sends it as it is. */
const compress = async (file: string) => {
  const bytes = await readFile(file)
  const params = { [constants.BROTLI_PARAM_QUALITY]: 10, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  await writeFile(`${file}.br`, await promisify(brotliCompress)(bytes, { params }))
  await writeFile(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }))
}

/** Builds in a folder of its own: others may be building, too, and services send what is there until it is replaced. */
const buildConsole = async () => {
  // Whoever asks for the page first may be a test, or have NODE_ENV set: what is built stays, and is what everybody gets.
  process.env["NODE_ENV"] = "production"
  const { build } = await import("vite")
  const [draft, old] = [join(home, `dist-${randomUUID()}`), join(home, `dist-${randomUUID()}`)]
  try {
    await build({ root: home, build: { outDir: draft, emptyOutDir: true } })
    const files = await readdir(draft, { recursive: true, withFileTypes: true })
    await Promise.all(files.filter((file) => file.isFile()).map((file) => compress(join(file.parentPath, file.name))))
    // Another one may have been quicker.
    if (await isBuilt()) return
    await rename(place, old).catch(() => {})
    await rename(draft, place).catch(async (error: unknown) => {
      // Between the two renames another one has put its own there.
      if (!(await isBuilt())) throw error
    })
  } finally {
    for (const folder of [draft, old]) await rm(folder, { recursive: true, force: true })
  }
}

if (!(await isBuilt())) await buildConsole()

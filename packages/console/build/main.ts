import { randomUUID } from "node:crypto"
import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"
import { build } from "vite"

const home = fileURLToPath(new URL("..", import.meta.url))
const place = join(home, "dist")
const draft = join(home, `dist-${randomUUID()}`)

/** Writes a file compressed beside itself; the service sends it as it is. */
const compress = async (file: string) => {
  const bytes = await readFile(file)
  const params = { [constants.BROTLI_PARAM_QUALITY]: 10, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  await writeFile(`${file}.br`, await promisify(brotliCompress)(bytes, { params }))
  await writeFile(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }))
}

// Others may be building, too: each writes a folder of its own, and the last to be ready stays.
try {
  await build({ root: home, build: { outDir: draft, emptyOutDir: true } })
  const files = await readdir(draft, { recursive: true, withFileTypes: true })
  await Promise.all(files.filter((file) => file.isFile()).map((file) => compress(join(file.parentPath, file.name))))
  await rm(place, { recursive: true, force: true })
  await rename(draft, place).catch(async (error: NodeJS.ErrnoException) => {
    // Another one has just put its own there, which is the same.
    if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error
  })
} finally {
  await rm(draft, { recursive: true, force: true })
}

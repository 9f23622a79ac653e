import { randomUUID } from "node:crypto"
import { access, constants, mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises"
import { basename, join, relative, sep } from "node:path"
import { fileURLToPath } from "node:url"
import { build, type Metafile, type OutputFile, type Plugin } from "esbuild"

const root = fileURLToPath(new URL("../../../..", import.meta.url))
const server = join(root, "packages/server")
const folder = join(server, "bundle")
const manifestFile = join(folder, "manifest.json")
const began = Date.now()
const programs = { main: "src/main.ts", hearth: "src/cli/main.ts" }
// What changes how things are put together, beside the files that are: an install, and this file.
const alsoInputs = ["node_modules/.pnpm/lock.yaml", relative(root, import.meta.filename)]
// A process that runs loads parts of its bundle when they are first needed: what was replaced stays for as long as one may run.
const keptMillis = 7 * 24 * 3_600_000

const slashes = (path: string) => path.split(sep).join("/")

/** A file that asks where it is gets the answer that it has outside of the bundle. */
const originalPlaces: Plugin = {
  name: "original-places",
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.[cm]?[jt]s$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8")
      if (!/import\.meta\.url|\b__(?:dir|file)name\b/.test(text)) return null
      const url = `new URL(${JSON.stringify(slashes(relative(folder, path)))}, bundleUrl)`
      const contents = text
        .replaceAll("import.meta.url", `${url}.href`)
        .replace(/\b__dirname\b/g, `bundlePath(new URL(".", ${url}))`)
        .replace(/\b__filename\b/g, `bundlePath(${url})`)
      return { contents, loader: path.endsWith("ts") ? "ts" : "js" }
    })
  },
}

const banner = `import { createRequire as makeRequire } from "node:module"
import { fileURLToPath as bundlePath } from "node:url"
const bundleUrl = import.meta.url
const require = makeRequire(bundleUrl)
const $named = (target, value) => Object.defineProperty(target, "name", { value, configurable: true })`

/** Leaves the names of functions as they are: each closure would be given its name again when it is made. No column moves. */
const nameClassesOnly = (code: string): string =>
  code
    .replace(/static ?\{__name\(this,/g, (text) => text.replace("__name", "$$named"))
    .replace(/(?<=__name=\(target,value\)=>)__defProp\([^)]*\)/, (text) => "target".padEnd(text.length))

const makeBundle = () =>
  build({
    absWorkingDir: root,
    entryPoints: Object.entries(programs).map(([out, path]) => ({ in: join(server, path), out })),
    outdir: folder,
    entryNames: "[name]-[hash]",
    outExtension: { ".js": ".mjs" },
    ...{ bundle: true, splitting: true, write: false, metafile: true, logLevel: "error" },
    ...{ format: "esm", platform: "node", target: "node22.19" },
    // Packages are found as Node finds them.
    ...{ conditions: [], mainFields: ["main"] },
    // BullMQ and ioredis tell their classes by name, and esbuild renames what is called the same.
    keepNames: true,
    // Neither comments nor letters for which V8 would keep two bytes of each letter of a file.
    ...{ charset: "ascii", minifyWhitespace: true, legalComments: "none" },
    // For the stacks in the log; nothing else reads it.
    ...{ sourcemap: "external", sourcesContent: false },
    banner: { js: banner },
    external: ["msgpackr-extract", "pg-native"],
    plugins: [originalPlaces],
  })

/** Others may be writing the same file, or reading it. */
const replace = async (path: string, contents: string) => {
  const draft = `${path}.${randomUUID()}`
  await writeFile(draft, contents, { flush: true })
  await rename(draft, path)
}

/** Notes that a file is needed still. */
const touch = (path: string) => {
  const now = new Date()
  return utimes(path, now, now).catch(() => {})
}

/** Writes a file whose name tells its content, unless it is there. Answers its name and size. */
const writeOnce = async ({ path, text }: OutputFile) => {
  const contents = path.endsWith(".map") ? text : nameClassesOnly(text)
  const size = Buffer.byteLength(contents)
  const found = await stat(path).catch(() => null)
  await (found?.size === size ? touch(path) : replace(path, contents))
  return [basename(path), size] as const
}

type Manifest = { readonly outputs?: ReadonlyArray<readonly [string, number]> }

/** What a process may still run that was started before now. */
const touchPresent = async () => {
  const present: Manifest | null = await readFile(manifestFile, "utf8")
    .then(JSON.parse)
    .catch(() => null)
  await Promise.all((present?.outputs ?? []).map(([name]) => touch(join(folder, name))))
}

/** Where the bundle of each program begins. */
const findEntries = ({ outputs }: Metafile) =>
  Object.fromEntries(
    Object.entries(outputs).flatMap(([path, { entryPoint }]) => {
      const program = Object.entries(programs).find(([, source]) => entryPoint === `packages/server/${source}`)
      return program === undefined ? [] : [[program[0], basename(path)]]
    }),
  )

/** What a source must be like for the bundle to be its own: nothing, where it was changed while the bundle was made. */
const stamp = async (path: string) => {
  const { mtimeMs, size } = await stat(join(root, path))
  const isMeanwhile = mtimeMs >= began && mtimeMs <= Date.now()
  return [path, isMeanwhile ? null : mtimeMs, size]
}

const removeOld = async () => {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    if (Date.now() - (await stat(path)).mtimeMs > keptMillis) await rm(path, { force: true })
  }
}

// First of all: where nothing can be written, a start is not to wait for a bundle.
await mkdir(folder, { recursive: true })
await access(folder, constants.W_OK)
const { outputFiles, metafile } = await makeBundle()
const inputs = [...Object.keys(metafile.inputs).filter((path) => !path.startsWith("node_modules/")), ...alsoInputs]
const stamps = await Promise.all(inputs.map(stamp))
await touchPresent()
const outputs = await Promise.all(outputFiles.map(writeOnce))
await replace(manifestFile, JSON.stringify({ programs: findEntries(metafile), inputs: stamps, outputs }))
await removeOld()

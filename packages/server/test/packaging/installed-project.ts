import { execFile } from "node:child_process"
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { delimiter, dirname, join } from "node:path"
import { promisify } from "node:util"
import { published, root } from "./published.ts"

// npm installs for the node that runs it, which is not always the first one on the machine.
const PATH = [dirname(process.execPath), process.env["PATH"] ?? ""].join(delimiter)

const runWith = async (
  variables: Readonly<Record<string, string>>,
  cwd: string,
  command: string,
  ...args: ReadonlyArray<string>
): Promise<string> => {
  const options = { cwd, env: { ...process.env, PATH, ...variables }, maxBuffer: 64 * 1024 * 1024 }
  const { stdout } = await promisify(execFile)(command, args, options)
  return stdout
}

const run = (cwd: string, command: string, ...args: ReadonlyArray<string>) => runWith({}, cwd, command, ...args)

const tsc = join(root, "node_modules/.bin/tsc")

/** A packed package. */
export interface Packed {
  readonly name: string
  /** The path of the tarball. */
  readonly filename: string
  readonly files: ReadonlyArray<{ readonly path: string }>
}

/** The output of deleted sources would be packed, too. */
const removeBuilds = async (): Promise<void> => {
  const built = published.filter(({ isBuiltByTsc }) => isBuiltByTsc)
  const leftovers = built.flatMap(({ folder }) => [join(folder, "dist"), join(folder, ".tsbuildinfo")])
  await Promise.all(leftovers.map((path) => rm(path, { recursive: true, force: true })))
}

/** Packs all of them as they are published: `prepack` builds. One at a time, because builds share those of what they depend on. */
const pack = async (destination: string): Promise<ReadonlyArray<Packed>> => {
  const filters = published.flatMap(({ name }) => ["--filter", name])
  const one = "--workspace-concurrency=1"
  const to = ["--json", "--pack-destination", destination]
  return JSON.parse(await run(root, "npx", "-y", "pnpm@12", one, ...filters, "pack", ...to))
}

/** The code of the first TypeScript block under a heading of the README, and the output in its comment. */
export const readmeExample = async (heading: string): Promise<{ readonly code: string; readonly prints: string }> => {
  const readme = await readFile(join(root, "README.md"), "utf8")
  const section = readme.split(`## ${heading}\n`)[1] ?? ""
  const code = /```ts\n([\s\S]+?)```/.exec(section)?.[1] ?? ""
  return { code, prints: /console\.log\(.+\/\/ (.+)\n/.exec(code)?.[1] ?? "" }
}

/** The TypeScript blocks of a page of docs, each with what it prints: the comments behind its calls of `console.log`. */
export const blocksOf = async (
  page: string,
): Promise<ReadonlyArray<{ readonly code: string; readonly prints: string }>> => {
  const text = await readFile(join(root, "docs", page), "utf8")
  return [...text.matchAll(/```ts\n([\s\S]+?)```/g)].map(([, code = ""]) => ({
    code,
    prints: [...code.matchAll(/console\.log\(.+\/\/ (.+)\n/g)].map(([, line]) => `${line}\n`).join(""),
  }))
}

/** The Node 22 that NODE_22 names; null where it names none. */
export const node22: string | null = process.env["NODE_22"] || null

/** A Node on the PATH that is older than the packages want; null where there is none. */
export const findOldNode = async (): Promise<string | null> => {
  for (const folder of (process.env["PATH"] ?? "").split(delimiter)) {
    const node = join(folder, "node")
    const version = await promisify(execFile)(node, ["--version"]).catch(() => ({ stdout: "" }))
    const [, major = ""] = /^v(\d+)\./.exec(version.stdout) ?? []
    if (major !== "" && Number(major) < 22) return node
  }
  return null
}

// Prints what is there before the optional peers are: the world in memory, and what becomes of the suites.
const withoutPeers = `
  const { testWorld } = await import("@hearth/testing")
  const suites = await import("@hearth/testing/contracts").catch(({ code }) => code)
  console.log(typeof testWorld, suites)
`

/** The kilobytes on disk of a package and of all that it depends on. */
const measure = async (project: string, name: string): Promise<number> => {
  const folders = new Set<string>()
  const visit = async (each: string): Promise<void> => {
    const folder = join(project, "node_modules", each)
    if (folders.has(folder)) return
    folders.add(folder)
    const { dependencies = {} } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"))
    for (const dependency of Object.keys(dependencies)) await visit(dependency)
  }
  await visit(name)
  const lines = await run(project, "du", "-sk", ...folders)
  return [...lines.matchAll(/^\d+/gm)].reduce((sum, [size]) => sum + Number(size), 0)
}

const tsconfig = {
  compilerOptions: {
    target: "es2024",
    module: "nodenext",
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    types: ["node"],
  },
  include: ["*.ts"],
}

/** Builds and packs the published packages, and installs them with npm in an empty project. */
export const installPacked = async () => {
  await removeBuilds()
  const home = await mkdtemp(join(tmpdir(), "hearth-pack-"))
  const project = join(home, "project")
  await mkdir(project)
  // The account that PostgreSQL runs under must get in.
  await chmod(home, 0o755)
  const packed = await pack(home)
  await writeFile(join(project, "package.json"), JSON.stringify({ private: true, type: "module" }))
  await writeFile(join(project, "tsconfig.json"), JSON.stringify(tsconfig))
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"]
  await run(project, "npm", "install", ...flags, ...packed.map(({ filename }) => filename), "@types/node@24")
  const importedWithoutPeers = await run(project, process.execPath, "--input-type=module", "-e", withoutPeers)
  await run(project, "npm", "install", ...flags, "vitest@5.1.1", "fast-check@4.10.2")
  return {
    packed,
    /** The folder that npm has installed them in. */
    project,
    /** What a program printed before vitest and fast-check were there. */
    importedWithoutPeers,
    /** The kilobytes on disk of a package with all that it depends on. */
    measure: (name: string) => measure(project, name),
    write: (file: string, text: string) => writeFile(join(project, file), text),
    /** What a program of the project prints, under this Node or the one in `node`, with variables of its own. */
    node: (file: string, { node = process.execPath, ...variables }: Readonly<Record<string, string>> = {}) =>
      runWith(variables, project, node, file),
    /** What a command of the packages prints, by npx. Rejects when it fails. */
    npx: (...args: ReadonlyArray<string>) => run(project, "npx", "--no-install", ...args),
    /** What any command prints there. Rejects when it fails. */
    run: (command: string, ...args: ReadonlyArray<string>) => run(project, command, ...args),
    /** Runs a suite of the project. Rejects when it fails. */
    vitest: (file: string) =>
      run(project, process.execPath, "node_modules/vitest/vitest.mjs", "run", "--root", project, file),
    /** The type errors in the project and in our packages, without those in other libraries. */
    typeErrors: async (): Promise<ReadonlyArray<string>> => {
      const output = await run(project, tsc, "-p", ".").catch(({ stdout }: { stdout: string }) => stdout)
      return output
        .split("\n")
        .filter((line) => /^[^ ]+\(\d+,\d+\): error/.test(line) && !/^node_modules\/(?!@hearth\/)/.test(line))
    },
    remove: () => rm(home, { recursive: true, force: true }),
  }
}

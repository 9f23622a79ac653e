import { spawn } from "node:child_process"
import { tmpdir } from "node:os"
import { fileURLToPath } from "node:url"

/** How a process ended. */
export interface End {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** One of the executables, as a process of its own. */
export interface RunningProcess {
  readonly pid: number
  /** What it has written to its standard output so far. */
  output(): string
  /** What it has written to its standard error so far. */
  errors(): string
  readonly ended: Promise<End>
  /** Waits until the pattern is in its output or its errors. Rejects when it ends before. */
  says(pattern: RegExp): Promise<RegExpExecArray>
  /** Sends a signal and waits until it is gone. */
  end(signal: NodeJS.Signals): Promise<End>
}

/** The options of a process. */
export interface LaunchOptions {
  readonly environment?: Readonly<Record<string, string>>
  readonly uid?: number
  readonly gid?: number
  /** What follows the executable. */
  readonly args?: ReadonlyArray<string>
  /** The working directory; `/` where left out. */
  readonly cwd?: string
  /** The Node that runs it; that of the tests where left out. */
  readonly node?: string
}

/** The executables of the service. */
export const executables = {
  server: fileURLToPath(new URL("../../main.js", import.meta.url)),
  hearth: fileURLToPath(new URL("../../hearth.js", import.meta.url)),
  worker: fileURLToPath(new URL("../../../worker/main.js", import.meta.url)),
}

/** Starts an executable. Of the environment of the tests it is given only what every program needs. */
export const launch = (
  script: string,
  { environment = {}, args = [], cwd = "/", node = process.execPath, ...account }: LaunchOptions = {},
): RunningProcess => {
  const { PATH = "", HOME = "" } = process.env
  // A third of the time that a start takes is for compiling; tests start the same programs again and again.
  const NODE_COMPILE_CACHE = fileURLToPath(new URL("../../node_modules/.cache/compiled", import.meta.url))
  const own = { PATH, HOME, TMPDIR: tmpdir(), NODE_COMPILE_CACHE }
  const child = spawn(node, [script, ...args], {
    ...account,
    env: { ...own, ...environment },
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
  })
  const written = { stdout: "", stderr: "" }
  const watchers = new Set<() => void>()
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      written[name] += text
      for (const look of watchers) look()
    })
  }
  const ended = new Promise<End>((resolve) => child.on("close", (code, signal) => resolve({ code, signal })))
  const everything = () => `${written.stdout}\n${written.stderr}`
  return {
    pid: child.pid ?? 0,
    output: () => written.stdout,
    errors: () => written.stderr,
    ended,
    says: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = pattern.exec(everything())
          if (found === null) return
          watchers.delete(look)
          resolve(found)
        }
        watchers.add(look)
        void ended.then(({ code, signal }) => reject(new Error(`It ended (${code ?? signal}):\n${everything()}`)))
        look()
      }),
    end: (signal) => {
      child.kill(signal)
      return ended
    },
  }
}

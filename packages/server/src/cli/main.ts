#!/usr/bin/env node
// The executable of the published package; in the repository it is hearth.js. Only what every Node has is imported before its
// version is known: one that is too old would end with the stack of a syntax error.
import { readFileSync } from "node:fs"

const { engines } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"))
const [oldest = ""] = /\d+\.\d+/.exec(engines.node) ?? []

if (process.versions.node.localeCompare(oldest, "en", { numeric: true }) < 0) {
  process.stderr.write(
    `hearth needs Node ${oldest} or newer, and this is ${process.versions.node}: see https://nodejs.org/en/download.\n`,
  )
  process.exitCode = 1
} else {
  const { enableCompileCache } = await import("node:module")
  enableCompileCache()
  const { runProgram } = await import("./program.ts")
  await runProgram(process.argv)
}

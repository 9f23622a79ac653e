#!/usr/bin/env node
// The executable of the published package; in the repository it is hearth.js.
import { enableCompileCache } from "node:module"

enableCompileCache()
const { runProgram } = await import("./program.ts")
await runProgram(process.argv)

#!/usr/bin/env node
import { enableCompileCache } from "node:module"
import { findProgram } from "./find-program.js"

// As in main.js: before anything else is imported.
enableCompileCache()
const bundled = findProgram("hearth")
await (bundled === null ? import("./src/cli/main.ts") : import(bundled))

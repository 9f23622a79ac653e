#!/usr/bin/env node
import module from "node:module"
import { findProgram } from "./find-program.js"
import { requireNode } from "./require-node.js"

requireNode()
// As in main.js: before anything else is imported.
module.enableCompileCache()
const bundled = findProgram("hearth")
await (bundled === null ? import("./src/cli/main.ts") : import(bundled))

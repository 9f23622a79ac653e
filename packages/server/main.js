import module from "node:module"
import { findProgram } from "./find-program.js"
import { requireNode } from "./require-node.js"

requireNode()
// Node keeps compiled code on disk: the next start takes half the time. This must run before anything else is imported, and in
// JavaScript: the first file of TypeScript would load what strips types, and keep it, though all others come from the cache.
module.enableCompileCache()
const bundled = findProgram("main")
await (bundled === null ? import("./src/main.ts") : import(bundled))

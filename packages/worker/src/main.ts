import { enableCompileCache } from "node:module"

// Node caches compiled code, which halves the time of the next start. Must be enabled before any other import.
enableCompileCache()
const { work } = await import("./work.ts")
await work()

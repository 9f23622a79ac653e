import { enableCompileCache } from "node:module"

// Node keeps what it has compiled: the next start takes half the time. It has to be on before anything else is imported.
enableCompileCache()
const { work } = await import("./work.ts")
await work()

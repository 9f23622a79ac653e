import { enableCompileCache } from "node:module"

// Node keeps compiled code on disk: the next start takes half the time. This must run before anything else is imported.
enableCompileCache()
const { serve } = await import("./serve.ts")
await serve()

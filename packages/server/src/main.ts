import { listenForStop } from "./cli/stop-signal.ts"

// From the first moment on, so that a signal during the start ends in order too.
const stopping = listenForStop()
const { serve } = await import("./serve.ts")
await serve(stopping)

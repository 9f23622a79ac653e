import { refusals } from "./refusals.ts"
import { clientKey, projectId, sampleApp } from "./sample-app.ts"
import { sampleRoutes } from "./sample-routes.ts"

refusals(
  "the sample service",
  sampleRoutes,
  () => {
    const { app, core } = sampleApp()
    return {
      fetch: app.fetch,
      projectId,
      clientKey,
      sessionToken: "session-token",
      developerToken: "owner-token",
      strangerToken: "stranger-token",
      effects: () => core.calls.length,
    }
  },
  { kind: "missing", since: "2026-01-01" },
)

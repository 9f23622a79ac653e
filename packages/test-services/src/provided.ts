import type { FoundServices } from "./find-services.ts"

/** The services that the global setup provides to the tests. */
export type ProvidedServices = Omit<FoundServices, "stop">

declare module "vitest" {
  interface ProvidedContext {
    services: ProvidedServices
  }
}

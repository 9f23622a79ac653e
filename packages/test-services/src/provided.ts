import type { FoundServices } from "./find-services.ts"

/** What the run tells its tests of the services that it has found. */
export type ProvidedServices = Omit<FoundServices, "stop">

declare module "vitest" {
  interface ProvidedContext {
    services: ProvidedServices
  }
}

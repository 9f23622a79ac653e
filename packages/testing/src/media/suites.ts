import type { FeatureSuites } from "../contracts/feature-suites.ts"
import { mediaContract, mediaTables, projectFilesContract } from "./contract.ts"

/** What every adapter promises about media. */
export const mediaSuites: FeatureSuites = {
  tenant: [...mediaTables, mediaContract],
  control: [projectFilesContract],
}

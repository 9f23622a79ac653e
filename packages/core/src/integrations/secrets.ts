import { Effect } from "effect"
import type { SecretBox } from "../ports/secret-box.ts"
import { isObject, type JsonObject } from "../schema.ts"
import type { IntegrationProvider, IntegrationRow } from "./integration.ts"

/** Where secrets are: they open nowhere else. */
type Place = Pick<IntegrationRow, "project_id" | "provider">

const contextIn = (project_id: string, provider: IntegrationProvider) => `integrations/${project_id}/${provider}`

/** What a row stores of its secrets: null where there are none. */
export const sealSecrets = (
  box: SecretBox,
  { project_id, provider }: Place,
  secrets: JsonObject,
): Effect.Effect<Pick<IntegrationRow, "sealed" | "sealed_with">> =>
  Object.keys(secrets).length === 0
    ? Effect.succeed({ sealed: null, sealed_with: null })
    : Effect.map(box.seal(JSON.stringify(secrets), contextIn(project_id, provider)), (sealed) => ({
        sealed,
        sealed_with: box.readFingerprint(sealed),
      }))

/** The secrets of a row: empty where it has none, null where they cannot be read. */
export const openSecrets = (
  box: SecretBox,
  { sealed, project_id, provider }: Place & Pick<IntegrationRow, "sealed">,
) =>
  sealed === null
    ? Effect.succeed<JsonObject | null>({})
    : Effect.map(box.open(sealed, contextIn(project_id, provider)), (text) => {
        const opened: unknown = text === null ? null : JSON.parse(text)
        return isObject(opened) ? (opened as JsonObject) : null
      })

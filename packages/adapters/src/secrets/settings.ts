import { Schema } from "effect"
import { choice, hiding, optional } from "../environment/settings.ts"
import { findKeyProblem } from "./secret-keys.ts"

const Keys = Schema.String.check(Schema.makeFilter((list: string) => findKeyProblem(list) ?? true))

/** With what the secrets of integrations are encrypted [H1.2], for server and worker. */
export const secretSettings = {
  SECRETS_KEY: hiding(
    "everything",
    optional(
      "The keys that encrypt the secrets of integrations: 32 bytes each in base64, with commas between. The first encrypts, all decrypt. Needed with DATABASE_URL, the same for server and worker; without it one is made and kept in DATA_DIR. See docs/operators.md.",
      Keys,
      "what `hearth keys` prints",
    ),
  ),
  SECRETS_KEY_LOST: optional(
    "forget: start although secrets are encrypted with a key that is not in SECRETS_KEY. Their integrations have no secret until it is set again.",
    choice(["forget"]),
    "forget",
  ),
}

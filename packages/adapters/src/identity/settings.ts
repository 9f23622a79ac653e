import { Schema, SchemaGetter } from "effect"
import { WebAddress } from "../environment/backing.ts"
import { hiding, optional, withDefault } from "../environment/settings.ts"
import { identityProviders } from "./identity-providers.ts"
import { findTokenKeyProblem } from "./token-keys.ts"

const Issuers = Schema.String.check(
  Schema.makeFilter((value: string) => issuersIn(value).length > 0 || "must be issuers with commas between"),
).pipe(
  Schema.decodeTo(Schema.Array(Schema.String), {
    decode: SchemaGetter.transform((value: string) => issuersIn(value)),
    encode: SchemaGetter.transform((issuers: ReadonlyArray<string>) => issuers.join(",")),
  }),
)

const issuersIn = (value: string): ReadonlyArray<string> =>
  value
    .split(",")
    .map((issuer) => issuer.trim())
    .filter((issuer) => issuer !== "")

const TokenKeySet = Schema.String.check(
  Schema.makeFilter((json: string) => {
    const problem = findTokenKeyProblem(json)
    return (
      problem === null ||
      `must be a JSON Web Key Set of private Ed25519 keys, as \`hearth keys\` makes it. ${problem.replace(/\.$/, "")}`
    )
  }),
)

/** With what tokens are signed [F2]. */
export const tokenKeySettings = {
  JWT_KEYS: hiding(
    "everything",
    optional(
      "The private keys that sign tokens: a JSON Web Key Set of Ed25519 keys, the first of which signs. Needed with DATABASE_URL; without it they are made and kept in DATA_DIR.",
      TokenKeySet,
      "what `hearth keys` prints",
    ),
  ),
}

const { idp_a, idp_b } = identityProviders

/** Whose identity tokens are accepted [B9, F2]: Apple's and Google's, unless tests or other providers are named. */
export const identitySettings = {
  IDP_A_ISSUERS: withDefault(
    "The issuers of identity tokens of idp_a (Apple), with commas between.",
    Issuers,
    idp_a.issuers,
  ),
  IDP_A_JWKS_URL: withDefault("Where idp_a publishes its signing keys.", WebAddress, idp_a.jwksUrl),
  IDP_B_ISSUERS: withDefault(
    "The issuers of identity tokens of idp_b (Google), with commas between.",
    Issuers,
    idp_b.issuers,
  ),
  IDP_B_JWKS_URL: withDefault("Where idp_b publishes its signing keys.", WebAddress, idp_b.jwksUrl),
}

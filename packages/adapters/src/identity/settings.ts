import { Schema, SchemaGetter } from "effect"
import { WebAddress } from "../environment/backing.ts"
import { withDefault } from "../environment/settings.ts"
import { identityProviders } from "./identity-providers.ts"

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

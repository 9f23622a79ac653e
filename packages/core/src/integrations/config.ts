import { Result, Schema } from "effect"
import { InvalidInput } from "../failure.ts"
import { listIssues } from "../input-issues.ts"
import type { KeyAlgorithm, Signatures } from "../ports/signatures.ts"
import { isObject, type JsonObject, text } from "../schema.ts"
import type { IntegrationProvider } from "./integration.ts"
import { googleTokenUri, isTokenUri } from "./token-uri.ts"

const mostKeyCharacters = 8_192
const mostAccountCharacters = 16_384

const shaped = (pattern: RegExp, message: string) => Schema.String.check(Schema.isPattern(pattern, { message }))

// They become parts of tokens, headers and paths.
const identifier = shaped(/^[\w-]{1,64}$/, "must be 1 to 64 letters, digits, - or _")
const topic = shaped(/^[\w.-]{1,255}$/, "must be a bundle id: 1 to 255 letters, digits, - or .")
const cloudProject = shaped(/^[\w:.-]{1,128}$/, "must be the id of a Google Cloud project")

const webhookSecret = text(16, 256)
// The provider sends it in a header.
const bearerSecret = webhookSecret.check(
  Schema.isPattern(/^[!-~](?:[ -~]*[!-~])?$/, { message: "must be printable ASCII without spaces at its ends" }),
)

const privateKey = (signatures: Signatures, algorithm: KeyAlgorithm, kind: string) =>
  Schema.String.check(
    Schema.makeFilter(
      (pem: string) =>
        (pem.length <= mostKeyCharacters && signatures.readKeyAlgorithm(pem) === algorithm) ||
        `must be ${kind} in PKCS8 PEM`,
    ),
  )

/** The keys of each provider's `config` [H1.1]. */
const makeFields = (signatures: Signatures, pushBUrl: string | null) => {
  const tokenUri = text(1, 2_048).check(
    Schema.makeFilter((value: string) => isTokenUri(value, pushBUrl) || `must be ${googleTokenUri}`),
  )
  const account = Schema.Struct({
    project_id: cloudProject,
    client_email: text(3, 320),
    private_key: privateKey(signatures, "RS256", "an RSA key of 2,048 bits or more"),
    token_uri: Schema.optionalKey(tokenUri),
  })
  return {
    subscription: { webhook_secret: bearerSecret, accept_sandbox: Schema.Boolean },
    paywall: { webhook_secret: webhookSecret, signature_scheme: Schema.Literals(["hex", "standard"]) },
    push_a: {
      ...{ team_id: identifier, key_id: identifier, topic },
      private_key: privateKey(signatures, "ES256", "a P-256 key"),
      environment: Schema.Literals(["production", "sandbox"]),
    },
    push_b: { service_account: account },
  }
}

/** What a PUT says about a provider: keys with a value, or with null where they are to be cleared. */
export type ConfigChanges = JsonObject

const makeDecoder = (fields: Schema.Struct.Fields) => {
  const schema = Schema.Struct(
    Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [
        name,
        Schema.optionalKey(Schema.NullOr(field as Schema.Codec<unknown>)),
      ]),
    ),
  )
  const decode = Schema.decodeUnknownResult(schema, { errors: "all" })
  return (config: JsonObject) => Result.mapError(decode(config), ({ issue }) => listIssues(issue, schema, ["config"]))
}

/** A service account as it is kept: whole, with the address that its tokens come from. */
const keepAccount = (account: JsonObject): JsonObject => ({ token_uri: googleTokenUri, ...account })

/**
 * Makes the reader of `config`. It answers the keys of the provider that are given, checked; unknown keys are ignored. Everything
 * that is wrong is named at once, by its path.
 */
export const makeConfigReader = (signatures: Signatures, pushBUrl: string | null) => {
  const fields = makeFields(signatures, pushBUrl)
  const decoders = Object.fromEntries(
    Object.entries(fields).map(([provider, each]) => [provider, makeDecoder(each)]),
  ) as Readonly<Record<IntegrationProvider, ReturnType<typeof makeDecoder>>>
  return (provider: IntegrationProvider, config: JsonObject): Result.Result<ConfigChanges, InvalidInput> => {
    const given = Object.fromEntries(Object.keys(fields[provider]).flatMap((name) => pick(config, name)))
    const account = given["service_account"]
    const tooLong = JSON.stringify(account ?? null).length > mostAccountCharacters
    const decoded = decoders[provider](given)
    const issues = [
      ...(Result.isFailure(decoded) ? decoded.failure : []),
      ...(tooLong
        ? [{ path: "config.service_account", message: `must have at most ${mostAccountCharacters} characters` }]
        : []),
    ]
    if (issues.length > 0) return Result.fail(new InvalidInput({ issues }))
    return Result.succeed(isObject(account) ? { ...given, service_account: keepAccount(account as JsonObject) } : given)
  }
}

const pick = (config: JsonObject, name: string) => (Object.hasOwn(config, name) ? [[name, config[name] ?? null]] : [])

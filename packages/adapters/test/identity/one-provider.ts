import { InvalidToken } from "@hearth/core"
import { type Answer, openProvider, publishKeys, signingKey } from "@hearth/test-services/identity-provider"
import { manualClock } from "@hearth/testing"
import { Effect } from "effect"
import { expect } from "vitest"
import { type IdentityVerifierSettings, identityProviders, joseIdentityVerifier } from "../../src/identity/index.ts"

/** The provider's key, unless a test publishes others. */
export const KEY = signingKey("first")

const START = "2026-03-01T12:00:00.000Z"

/** The first time of every clock, in seconds. */
export const NOW = Date.parse(START) / 1000

/** The claims of a valid token, for 366 days. */
export const CLAIMS = {
  iss: "https://appleid.apple.com",
  aud: "com.example.app",
  sub: "subject-1",
  iat: NOW,
  exp: NOW + 366 * 86_400,
}

const DEMAND = { audience: "com.example.app", nonce: null }

/** A verifier without cached keys, with `idp_a` on a server of its own. `idp_b` is never fetched. */
export const oneProvider = async (
  first: Answer = publishKeys([KEY.jwk]),
  settings: Partial<IdentityVerifierSettings> = {},
) => {
  const clock = manualClock(START)
  const provider = await openProvider(first)
  const verifier = joseIdentityVerifier({
    clock,
    providers: { ...identityProviders, idp_a: { ...identityProviders.idp_a, jwksUrl: provider.jwksUrl } },
    ...settings,
  })
  /** The result for a token: its subject, "refused" or "defect". */
  const verdict = async (token: string, signal?: AbortSignal): Promise<unknown> => {
    const verified = Effect.match(verifier.verify("idp_a", token, DEMAND), {
      onFailure: (failure) => (failure instanceof InvalidToken ? "refused" : failure),
      onSuccess: ({ provider_id }) => provider_id,
    })
    const exit = await Effect.runPromiseExit(verified, signal === undefined ? {} : { signal })
    return exit._tag === "Success" ? exit.value : "defect"
  }
  const accepted = async (token: string) => expect(await verdict(token)).toBe("subject-1")
  const refused = async (token: string) => expect(await verdict(token), token.slice(0, 2_000)).toBe("refused")
  const dies = async (token: string) => expect(await verdict(token)).toBe("defect")
  return { clock, provider, verdict, accepted, refused, dies }
}

import { hangUp, issue, openProvider, publishKeys, signingKey } from "@hearth/test-services/identity-provider"
import { identityVerifierContract } from "@hearth/testing/contracts"
import { identityProviders, joseIdentityVerifier } from "../../src/identity/index.ts"

identityVerifierContract("jose", async (clock) => {
  const keys = { idp_a: signingKey("a"), idp_b: signingKey("b") }
  const answers = { idp_a: publishKeys([keys.idp_a.jwk]), idp_b: publishKeys([keys.idp_b.jwk]) }
  const [a, b] = [await openProvider(answers.idp_a), await openProvider(answers.idp_b)]
  const providers = {
    idp_a: { ...identityProviders.idp_a, jwksUrl: a.jwksUrl },
    idp_b: { ...identityProviders.idp_b, jwksUrl: b.jwksUrl },
  }
  return {
    verifier: joseIdentityVerifier({ clock, providers }),
    sign: (provider, claims) => issue(keys[provider], claims),
    unreachable: (are) => {
      a.answer(are ? hangUp : answers.idp_a)
      b.answer(are ? hangUp : answers.idp_b)
    },
    close: async () => {},
  }
})

import { InvalidToken } from "@hearth/core"
import { Effect } from "effect"
import { expect, it } from "vitest"
import { identityVerifierContract } from "../src/contracts/identity-verifier.contract.ts"
import { manualClock } from "../src/memory/clock.ts"
import { memoryIdentityVerifier } from "../src/memory/identity-verifier.ts"

identityVerifierContract("memory", async (clock) => {
  const verifier = memoryIdentityVerifier(clock)
  return { verifier, sign: verifier.issue, unreachable: verifier.unreachable, close: async () => {} }
})

const DEMAND = { audience: "com.example.app", nonce: null }
const CLAIMS = { sub: "subject-1", aud: "com.example.app" }

it("issues tokens that are valid for ten minutes", async () => {
  const clock = manualClock()
  const verifier = memoryIdentityVerifier(clock)
  clock.advance("400 days")
  const token = verifier.issue("idp_b", CLAIMS)
  expect(await Effect.runPromise(verifier.verify("idp_b", token, DEMAND))).toEqual({
    provider: "idp_b",
    provider_id: "subject-1",
    email: null,
  })
  clock.advance("11 minutes")
  expect(await Effect.runPromise(Effect.flip(verifier.verify("idp_b", token, DEMAND)))).toBeInstanceOf(InvalidToken)
})

it("refuses the tokens of another instance", async () => {
  const [verifier, stranger] = [memoryIdentityVerifier(manualClock()), memoryIdentityVerifier(manualClock())]
  const token = stranger.issue("idp_a", CLAIMS)
  expect(await Effect.runPromise(Effect.flip(verifier.verify("idp_a", token, DEMAND)))).toBeInstanceOf(InvalidToken)
})

import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { Result } from "effect"
import { afterAll, expect, it } from "vitest"
import { checkKeys } from "../../src/cli/doctor/check-machine.ts"
import { readServerConfig } from "../../src/config.ts"
import { makeHarness, someJwtKeys, someSecretsKey } from "../harness/harness.ts"

const harness = makeHarness()
afterAll(harness.clear)

/** What the doctor finds of the keys in a folder; null is a file that is not there. */
const check = async (tokens: string | null, secrets: string | null) => {
  const dataDir = harness.folder()
  if (tokens !== null) writeFileSync(join(dataDir, "token-keys.json"), tokens)
  if (secrets !== null) writeFileSync(join(dataDir, "secrets-key"), secrets)
  const { findings, fingerprints } = await checkKeys(Result.getOrThrow(readServerConfig({ DATA_DIR: dataDir })))
  return { findings: findings.map(({ status, message }) => `${status} ${message}`), fingerprints }
}

const readable = [expect.stringMatching(/^[0-9a-f]{12}$/)]

it("the keys of tokens, broken or missing, take nothing from those of secrets", async () => {
  const broken = await check('{"keys":["canary"]}', someSecretsKey())
  expect(broken).toEqual({ findings: ["failed Key 1 is not a JSON Web Key."], fingerprints: readable })
  expect((await check(null, someSecretsKey())).fingerprints).toEqual(readable)
})

it("broken keys of secrets are no lost ones, and nothing is said of those of tokens", async () => {
  const { findings, fingerprints } = await check(someJwtKeys(), "canary")
  expect(findings).toEqual([expect.stringMatching(/^failed The list of secret keys /)])
  expect(fingerprints).toBeNull()
})

it("both are named where both are broken, and all is well where both can be read", async () => {
  expect((await check("{", "canary")).findings).toHaveLength(2)
  const { findings, fingerprints } = await check(someJwtKeys(), someSecretsKey())
  expect(findings).toEqual([expect.stringMatching(/^ok 1 key for tokens, 1 key for secrets; /)])
  expect(fingerprints).toEqual(readable)
})

it("are made by the first start where there are none", async () => {
  const { findings, fingerprints } = await check(null, null)
  expect(findings).toEqual([expect.stringMatching(/^ok The first start makes the keys, in /)])
  expect(fingerprints).toEqual([])
})

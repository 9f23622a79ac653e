import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Ports } from "@hearth/core"
import type * as contracts from "@hearth/testing/contracts"
import { expect, it } from "vitest"

type Suite = Extract<keyof typeof contracts, `${string}Contract`>

/** A port without a suite does not compile here. */
const suites: Readonly<Record<keyof Ports, ReadonlyArray<Suite>>> = {
  clock: ["clockContract"],
  control: ["controlPlaneContract"],
  identities: ["identityVerifierContract"],
  ids: ["idsContract"],
  limiter: ["rateLimiterContract"],
  mailer: ["mailerContract", "failingMailerContract"],
  news: ["newsContract"],
  passwords: ["passwordHasherContract"],
  patterns: ["patternsContract"],
  push: ["pushGatewayContract", "pushOutcomesContract"],
  revocations: ["revocationsContract"],
  secrets: ["secretBoxContract"],
  signals: ["signalsContract"],
  signatures: ["signaturesContract"],
  storage: ["storageContract", "localStorageContract"],
  tenants: ["tenantsContract"],
  tokens: ["tokensContract"],
  workflows: ["workflowRunnerContract"],
}

it("every port has a suite, which the package's README names", () => {
  const readme = readFileSync(join(import.meta.dirname, "../README.md"), "utf8")
  const named = [...readme.matchAll(/^\| `(\w+)` \| (.+?) \|/gm)].map(([, port, names = ""]) => [
    port,
    [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name),
  ])
  expect(Object.fromEntries(named)).toEqual(suites)
})

import type { PushAccount, PushMessage } from "@hearth/core/push"
import { apnsKey, apnsTeam, fcmProject, serviceAccountKey } from "@hearth/test-services/push"
import { recordedSignals } from "@hearth/testing"
import { sendThrough } from "@hearth/testing/contracts"
import { onTestFinished } from "vitest"
import { openPush, type PushAddresses, type PushParts } from "../../src/push/index.ts"
import { pushTiming } from "../../src/push/timing.ts"
import { systemClock } from "../../src/system/index.ts"

/** Times for tests in which something is not answered. The others take the usual ones: a busy machine makes no answer late. */
export const shortTiming = { ...pushTiming, connectMillis: 1_000, answerMillis: 800 }

/** An account that servers of APNs know. */
export const apnsAccount = (given: Partial<Extract<PushAccount, { provider: "push_a" }>> = {}): PushAccount => ({
  provider: "push_a",
  project_id: "a-project",
  version: "1",
  environment: "production",
  private_key: apnsKey(apnsTeam.key_id).privateKey,
  ...apnsTeam,
  ...given,
})

/** An account that servers of FCM know. */
export const fcmAccount = (
  token_uri: string,
  given: { readonly version?: string; readonly project_id?: string; readonly private_key?: string } = {},
): PushAccount => {
  const { version = "1", project_id = "a-project", private_key } = given
  const key = private_key ?? serviceAccountKey(fcmProject.client_email).privateKey
  return {
    ...{ provider: "push_b", project_id, version },
    service_account: { type: "service_account", ...fcmProject, private_key: key, private_key_id: "k1", token_uri },
  }
}

/** A gateway that speaks to servers of the test. */
export const openTestGateway = (addresses: Partial<PushAddresses>, parts: Partial<PushParts> = {}) => {
  const signals = recordedSignals()
  const push = openPush(
    { addresses: { push_a: null, push_b: null, ...addresses }, development: false },
    { clock: systemClock, signals, ...parts },
  )
  return { ...push, signals }
}

/** The same until the test has ended; `send` sends to an account. */
export const testGateway = (addresses: Partial<PushAddresses>, parts: Partial<PushParts> = {}) => {
  const push = openTestGateway(addresses, parts)
  onTestFinished(push.close)
  return {
    ...push,
    send: (account: PushAccount, messages: ReadonlyArray<PushMessage>) => sendThrough(push.gateway, account)(messages),
  }
}

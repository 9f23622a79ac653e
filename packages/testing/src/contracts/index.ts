// Everything here needs vitest, and some of it fast-check; the other entry of the package needs neither.

export * from "../media/storage.contract.ts"
export { patternsContract } from "../moderation/patterns.contract.ts"
export * from "../push/campaign-races.ts"
export * from "../push/gateway.contract.ts"
export { anyStoryTwice } from "../subscriptions/arbitrary-stories.ts"
export { storyteller } from "../subscriptions/stories.ts"
export * from "./clock.contract.ts"
export * from "./control-plane.contract.ts"
export {
  type ControlPlaneHarness,
  controlDatabase,
  type DatabaseUnderTest,
  type TenantsHarness,
  tenantDatabase,
} from "./database-under-test.ts"
export * from "./identity-verifier.contract.ts"
export * from "./ids.contract.ts"
export * from "./mailer.contract.ts"
export * from "./news.contract.ts"
export * from "./password-hasher.contract.ts"
export * from "./rate-limiter.contract.ts"
export * from "./revocations.contract.ts"
export { type MakeSecretBox, secretBoxContract } from "./secret-box.contract.ts"
export * from "./signals.contract.ts"
export { signaturesContract } from "./signatures.contract.ts"
export * from "./tenants.contract.ts"
export * from "./tokens.contract.ts"
export * from "./workflow-runner.contract.ts"
export type { MakeWorkflowRunner, WorkflowRunnerHarness } from "./workflow-runner.harness.ts"

export { drainOutbox } from "./background/outbox-fixtures.ts"
export * from "./builders.ts"
export * from "./contracts/control-plane.contract.ts"
export {
  type ControlPlaneHarness,
  controlDatabase,
  type DatabaseUnderTest,
  type TenantsHarness,
  tenantDatabase,
} from "./contracts/database-under-test.ts"
export * from "./contracts/identity-verifier.contract.ts"
export * from "./contracts/ids.contract.ts"
export * from "./contracts/mailer.contract.ts"
export * from "./contracts/password-hasher.contract.ts"
export * from "./contracts/rate-limiter.contract.ts"
export * from "./contracts/tenants.contract.ts"
export * from "./contracts/tokens.contract.ts"
export * from "./contracts/workflow-runner.contract.ts"
export type { MakeWorkflowRunner, WorkflowRunnerHarness } from "./contracts/workflow-runner.harness.ts"
export * from "./feature-builders.ts"
export * from "./memory/clock.ts"
export * from "./memory/control-plane.ts"
export * from "./memory/identity-verifier.ts"
export * from "./memory/ids.ts"
export * from "./memory/mailer.ts"
export * from "./memory/password-hasher.ts"
export * from "./memory/rate-limiter.ts"
export * from "./memory/signals.ts"
export * from "./memory/tenants.ts"
export * from "./memory/timers.ts"
export * from "./memory/tokens.ts"
export * from "./memory/workflow-runner.ts"
export * from "./streaks/builders.ts"
export * from "./world.ts"

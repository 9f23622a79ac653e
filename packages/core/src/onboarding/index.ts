export { AlreadyCompleted, NotStarted, StepOutOfOrder } from "./failures.ts"
export { NewOnboardingFlow, OnboardingFlow, OnboardingFlowChanges } from "./flow.ts"
export { makeOnboarding } from "./onboarding.ts"
export type { FlowCount, OnboardingDb, OnboardingFlows, OnboardingProgresses } from "./port.ts"
export {
  AdvanceRequest,
  OnboardingProgress,
  OnboardingProgressRow,
  OnboardingStats,
  OwnOnboardingFlow,
} from "./progress.ts"
export { onboardingProgressSection } from "./sections.ts"

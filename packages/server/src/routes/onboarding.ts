import { InvalidInput, InvalidToken, LimitReached, NotFound } from "@hearth/core"
import {
  AdvanceRequest,
  AlreadyCompleted,
  NewOnboardingFlow,
  NotStarted,
  OnboardingFlow,
  OnboardingFlowChanges,
  OnboardingProgress,
  OnboardingStats,
  OwnOnboardingFlow,
  StepOutOfOrder,
} from "@hearth/core/onboarding"
import { paging } from "../http/request/query.ts"
import { created, deleted, ok, pageOf, sliceOf, upserted } from "../http/response/answers.ts"
import { route } from "./route.ts"

/** Decisions D: a user's own way through the flows. */
const clientOnboarding = [
  route("GET", "/client/onboarding/flows", {
    id: "client.onboarding.flows.list",
    summary: "Lists the flows that the caller may start or has started, with how far the caller is",
    description: "`progress` is null where the caller has not started.",
    access: "client",
    query: paging(),
    returns: pageOf(OwnOnboardingFlow),
    run: ({ core, caller, query }) => core.onboarding.own(caller.project_id, caller.user_id, query),
  }),
  route("POST", "/client/onboarding/:flowId/start", {
    id: "client.onboarding.start",
    summary: "Starts a flow; again answers how far the caller is",
    description: "The steps of this moment are kept for the caller, whatever is changed later.",
    access: "client",
    errors: [InvalidToken, NotFound],
    returns: upserted(OnboardingProgress),
    run: ({ core, caller, params }) => core.onboarding.start(caller.project_id, caller.user_id, params.flowId),
  }),
  route("POST", "/client/onboarding/:flowId/advance", {
    id: "client.onboarding.advance",
    summary: "Does the next step, with the caller's answers; the last one may be repeated",
    description:
      "`step` is the index of the next step: repeating the last call is safe, anything else out of order is 409.",
    access: "client",
    body: AdvanceRequest,
    errors: [InvalidInput, InvalidToken, NotFound, NotStarted, AlreadyCompleted, StepOutOfOrder],
    returns: ok(OnboardingProgress),
    run: ({ core, caller, params, body }) =>
      core.onboarding.advance(caller.project_id, caller.user_id, params.flowId, body),
  }),
  route("POST", "/client/onboarding/:flowId/skip", {
    id: "client.onboarding.skip",
    summary: "Ends a flow wherever the caller is",
    description: 'For a button "not now". It may be repeated.',
    access: "client",
    errors: [InvalidToken, NotFound, NotStarted, AlreadyCompleted],
    returns: ok(OnboardingProgress),
    run: ({ core, caller, params }) => core.onboarding.skip(caller.project_id, caller.user_id, params.flowId),
  }),
  route("POST", "/client/onboarding/:flowId/complete", {
    id: "client.onboarding.complete",
    summary: "Ends a flow of which the caller has done every step",
    description: "When every step was done. It may be repeated.",
    access: "client",
    errors: [InvalidToken, NotFound, NotStarted, AlreadyCompleted, StepOutOfOrder],
    returns: ok(OnboardingProgress),
    run: ({ core, caller, params }) => core.onboarding.complete(caller.project_id, caller.user_id, params.flowId),
  }),
]

/** Spec: admin plane, onboarding. */
const adminOnboarding = [
  route("POST", "/admin/projects/:projectId/onboarding/flows", {
    id: "onboarding.flows.create",
    summary: "Makes a flow",
    description: "A step is any JSON object: the app knows how to show it.",
    access: "developer",
    body: NewOnboardingFlow,
    errors: [InvalidInput, LimitReached],
    returns: created(OnboardingFlow),
    run: ({ core, params, body }) => core.onboarding.create(params.projectId, body),
  }),
  route("GET", "/admin/projects/:projectId/onboarding/flows", {
    id: "onboarding.flows.list",
    summary: "Lists the flows, the oldest first",
    description: "Inactive flows are in the list too.",
    access: "developer",
    query: paging(),
    returns: pageOf(OnboardingFlow),
    run: ({ core, params, query }) => core.onboarding.list(params.projectId, query),
  }),
  route("GET", "/admin/projects/:projectId/onboarding/flows/:flowId", {
    id: "onboarding.flows.get",
    summary: "Shows a flow",
    description: "The flow comes with all of its steps, as they were sent.",
    access: "developer",
    errors: [NotFound],
    returns: ok(OnboardingFlow),
    run: ({ core, params }) => core.onboarding.find(params.projectId, params.flowId),
  }),
  route("PATCH", "/admin/projects/:projectId/onboarding/flows/:flowId", {
    id: "onboarding.flows.update",
    summary: "Changes a flow; users who have started keep the steps of that moment",
    description: "Only the keys that are sent change; `steps` are replaced as a whole.",
    access: "developer",
    body: OnboardingFlowChanges,
    errors: [NotFound],
    returns: ok(OnboardingFlow),
    run: ({ core, params, body }) => core.onboarding.update(params.projectId, params.flowId, body),
  }),
  route("DELETE", "/admin/projects/:projectId/onboarding/flows/:flowId", {
    id: "onboarding.flows.delete",
    summary: "Removes a flow with what users have done of it",
    description: "Progress and answers of users go with it.",
    access: "developer",
    returns: deleted,
    run: ({ core, params }) => core.onboarding.remove(params.projectId, params.flowId),
  }),
  route("GET", "/admin/projects/:projectId/onboarding/stats", {
    id: "onboarding.stats",
    summary: "Counts by flow who has started, completed and skipped it, and who has come to which step",
    description: "Where users stop: `reached` for each step.",
    access: "developer",
    query: paging(),
    returns: sliceOf(OnboardingStats),
    run: ({ core, params }) => core.onboarding.stats(params.projectId),
  }),
]

/** Flows that users are led through. */
export const onboardingRoutes = [...clientOnboarding, ...adminOnboarding]

export { makeApiKeys, NewApiKey, newApiKey } from "./api-keys.ts"
export { refuseRole } from "./check-role.ts"
export {
  DeveloperLogin,
  DeveloperSignup,
  DeveloperTokenPair,
  DeveloperTokens,
  makeDevelopers,
  RefreshRequest,
} from "./developers.ts"
export { DeveloperNotFound, LastOwner } from "./failures.ts"
export { makeInProject } from "./in-project.ts"
export { MemberChanges, makeMembers, NewMember } from "./members.ts"
export type { ApiKeys, Members, Projects, ProjectsDb } from "./port.ts"
export { type CreationBounds, makeProjects } from "./projects.ts"
export {
  ApiKey,
  ApiKeyRow,
  Developer,
  DeveloperRow,
  Member,
  MemberRow,
  NewProject,
  Project,
  ProjectChanges,
  ProjectRow,
  Role,
} from "./records.ts"

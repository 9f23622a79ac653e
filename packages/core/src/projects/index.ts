export { makeApiKeys, NewApiKey, newApiKey } from "./api-keys.ts"
export {
  DeveloperLogin,
  DeveloperSignup,
  DeveloperTokenPair,
  DeveloperTokens,
  makeDevelopers,
  RefreshRequest,
} from "./developers.ts"
export { DeveloperNotFound, LastOwner } from "./failures.ts"
export { MemberChanges, makeMembers, NewMember } from "./members.ts"
export type { ApiKeys, Members, Projects, ProjectsDb } from "./port.ts"
export {
  ApiKey,
  type ApiKeyRow,
  Developer,
  type DeveloperRow,
  Member,
  type MemberRow,
  NewProject,
  Project,
  ProjectChanges,
  type ProjectRow,
  Role,
} from "./records.ts"

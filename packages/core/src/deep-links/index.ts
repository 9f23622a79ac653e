export {
  DeepLinkConfig,
  DeepLinkConfigChanges,
  DeepLinkSettings,
  DomainTaken,
  LinkDay,
  LinkDomain,
  LinkStats,
  NewTrackedLink,
  Platform,
  ResolvedLink,
  SlugExists,
  TrackedLink,
  TrackedLinkChanges,
  TrackedLinkRow,
} from "./deep-link.ts"
export { makeDeepLinks, type Visit } from "./deep-links.ts"
export type { DeepLinkConfigs, DeepLinksControlDb, DeepLinksDb, LinkClick, TrackedLinks } from "./port.ts"

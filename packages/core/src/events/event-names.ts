/** Written by the platform, and counted as activity of their user [G0.4]. */
const activePlatformEvents = ["session_started", "push_opened"] as const

/** Written by the platform about something that was done already, or that nobody did [G0.4]. */
const passivePlatformEvents = [
  "achievement_unlocked",
  "xp_awarded",
  "level_reached",
  "item_purchased",
  "item_consumed",
  "referral_redeemed",
  "referral_rewarded",
  "onboarding_started",
  "onboarding_step_completed",
  "onboarding_completed",
  "onboarding_skipped",
  "push_sent",
  "session_ended",
  "group_created",
  "group_joined",
  "group_left",
  "message_sent",
  "review_posted",
  "deep_link_opened",
] as const

/** The names of all events that the platform writes [G, H, I]. A feature that writes another one adds it here. */
export const platformEvents: ReadonlyArray<string> = [...activePlatformEvents, ...passivePlatformEvents]

/** The beginnings of the names of events that providers cause: of the paywall and of subscriptions [G0.1]. */
export const providerPrefixes = ["paywall_", "subscription_"] as const

/** The beginning of the names of events that are no activity [G0.4]: a provider's, without the user. */
export const idlePrefix = "subscription_"

/** The names of events that are no activity [G0.4], beside those that begin with `idlePrefix`. */
export const idleEvents: ReadonlyArray<string> = passivePlatformEvents

const platformNames = new Set(platformEvents)
const idleNames = new Set(idleEvents)

/** Whether the platform writes events of this name. They never give XP. */
export const isPlatformEvent = (name: string): boolean => platformNames.has(name)

/** Whether events of this name come from a provider. */
export const isProviderEvent = (name: string): boolean => providerPrefixes.some((prefix) => name.startsWith(prefix))

/** Whether apps may not write events of this name [G0.1]. A project adds names of its own, in `server_events`. */
export const isReservedEvent = (name: string): boolean => isPlatformEvent(name) || isProviderEvent(name)

/** Whether an event of this name is activity of its user, whoever has written it [G0.4]. */
export const isActivity = (name: string): boolean => !idleNames.has(name) && !name.startsWith(idlePrefix)

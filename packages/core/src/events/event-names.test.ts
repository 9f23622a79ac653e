import { describe, expect, it } from "vitest"
import { isActivity, isPlatformEvent, isProviderEvent, isReservedEvent, platformEvents } from "./event-names.ts"

describe("names that apps may not write [G0.1]", () => {
  it.each(platformEvents)("%s is the platform's", (name) => {
    expect([isPlatformEvent(name), isProviderEvent(name), isReservedEvent(name)]).toEqual([true, false, true])
  })

  it.each(["paywall_", "paywall_shown", "subscription_renewal", "subscription_"])("%s is a provider's", (name) => {
    expect([isPlatformEvent(name), isProviderEvent(name), isReservedEvent(name)]).toEqual([false, true, true])
  })

  it.each(["lesson", "paywall", "Paywall_shown", "my_paywall_shown", "XP_AWARDED", "xp_awarded ", "constructor", ""])(
    "%j is anybody's",
    (name) => {
      expect([isPlatformEvent(name), isProviderEvent(name), isReservedEvent(name)]).toEqual([false, false, false])
    },
  )
})

it.each([
  ["lesson", true],
  ["session_started", true],
  ["push_opened", true],
  ["paywall_shown", true],
  ["session_ended", false],
  ["push_sent", false],
  ["xp_awarded", false],
  ["message_sent", false],
  ["subscription_renewal", false],
  ["subscription", true],
])("whether %s is activity: %s [G0.4]", (name, expected) => {
  expect(isActivity(name)).toBe(expected)
})

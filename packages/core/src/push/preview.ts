import { Effect } from "effect"
import type { Audiences, CampaignPorts } from "./audience.ts"
import type { CampaignPreview } from "./campaign.ts"
import { fillText } from "./deliveries/fill-text.ts"
import { findLocalInstant, isTooLate, nameZone } from "./local-time.ts"
import { parseCampaign, type Schedule } from "./parse-campaign.ts"
import type { AudienceZone } from "./port.ts"

/** How many users a preview shows, with their texts. */
const previewSample = 5

type Group = CampaignPreview["groups"][number]

/** The users of a zone, when they are sent the campaign that begins at `startsAt`, and whether that is too late. */
const placeZone = (schedule: Schedule, startsAt: Date) => (zone: AudienceZone) => {
  if (schedule.delivery_mode === "absolute") return { zone, name: null, fire_at: startsAt, isSkipped: false }
  const fire_at = findLocalInstant(schedule.local_date, schedule.local_time, zone.timezone)
  // Who is late by less is sent it when the campaign begins.
  return { zone, name: nameZone(zone.timezone), fire_at, isSkipped: isTooLate(fire_at, startsAt) }
}

type Placed = ReturnType<ReturnType<typeof placeZone>>

const sumUp = (zones: ReadonlyArray<Placed>, of: (zone: AudienceZone) => number): number =>
  zones.reduce((sum, { zone }) => sum + of(zone), 0)

const makeGroups = (placed: ReadonlyArray<Placed>): ReadonlyArray<Group> => {
  const groups = [...Map.groupBy(placed, ({ name }) => name)].map(([timezone, zones]): Group => {
    const [first] = zones as [Placed]
    return {
      timezone,
      fire_at: first.fire_at,
      recipients: sumUp(
        zones.filter(({ isSkipped }) => !isSkipped),
        ({ users }) => users,
      ),
      skipped: sumUp(
        zones.filter(({ isSkipped }) => isSkipped),
        ({ users }) => users,
      ),
    }
  })
  return groups.toSorted(
    (a, b) => a.fire_at.getTime() - b.fire_at.getTime() || ((a.timezone ?? "") < (b.timezone ?? "") ? -1 : 1),
  )
}

/**
 * Makes the preview of a campaign: whom it would reach, when, and what some of them would read [H4.5]. Segments are counted by
 * their rules at that moment. Nothing is written.
 */
export const makePreview = ({ clock, tenants }: Pick<CampaignPorts, "clock" | "tenants">, audiences: Audiences) =>
  Effect.fn("push.previewCampaign")(function* (projectId: string, body: unknown) {
    const { segment_id, schedule, title, body: text } = yield* Effect.fromResult(parseCampaign(body, clock.now()))
    const audience = yield* audiences.find(projectId, segment_id)
    const now = clock.now()
    const first = (yield* audiences.findStart(projectId, schedule, audience)) ?? now
    // Where the first zone is late already, it begins at once.
    const startsAt = new Date(Math.max(first.getTime(), now.getTime()))
    const zones = yield* tenants.read(projectId, (db) => db.pushAudiences.countZones(audience, now))
    const placed = zones.map(placeZone(schedule, startsAt))
    const reached = placed.filter(({ isSkipped }) => !isSkipped)
    const timezones = reached.map(({ zone }) => zone.timezone)
    const users = yield* tenants.read(projectId, (db) =>
      db.pushAudiences.sample(audience, now, timezones, previewSample),
    )
    const by_platform = {
      ios: sumUp(reached, ({ ios }) => ios),
      android: sumUp(reached, ({ android }) => android),
      web: sumUp(reached, ({ web }) => web),
    }
    return {
      recipients: sumUp(reached, (zone) => zone.users),
      devices: by_platform.ios + by_platform.android + by_platform.web,
      by_platform,
      groups: makeGroups(placed),
      sample: users.map((user) => ({
        app_user_id: user.id,
        title: fillText(title, user),
        body: fillText(text, user),
      })),
    } satisfies CampaignPreview
  })

import { Effect, Option } from "effect"
import type { LimitLookups } from "../access/limit-lookups.ts"
import { makeTtlCache } from "../access/ttl-cache.ts"
import type { Dispatcher } from "../background/dispatcher.ts"
import type { BackgroundDb } from "../background/port.ts"
import type { EventsDb } from "../events/port.ts"
import { InvalidInput, InvalidToken, NotFound, QuotaExceeded } from "../failure.ts"
import { limitSubject } from "../limits/address.ts"
import { type ListQuery, readLargeList } from "../list-cursor.ts"
import { orFail } from "../lookup.ts"
import type { Ports } from "../ports/ports.ts"
import type { ProjectsDb } from "../projects/port.ts"
import { nilUuid } from "../schema.ts"
import { dayMillis } from "../time/zones.ts"
import type { UsersDb } from "../users/port.ts"
import {
  type DeepLinkConfig,
  type DeepLinkConfigChanges,
  type DeepLinkSettings,
  DomainTaken,
  type LinkDay,
  type NewTrackedLink,
  type Platform,
  SlugExists,
  type TrackedLinkChanges,
  type TrackedLinkRow,
} from "./deep-link.ts"
import type { DeepLinksControlDb, DeepLinksDb } from "./port.ts"
import { describeAndroidApp, describeAppleApp, isBelow, isDomain, isPerson, mayPointTo, readPlatform } from "./rules.ts"

/** The most links of a project [I0.2]. */
const maxLinks = 100_000
// Over this many from one address a visit is redirected, but not counted [I8.4].
const countedVisits = [{ points: 60, seconds: 60 }]
// As old as what access remembers may be [B1].
const freshMillis = 5_000

/** A visit to a link, as far as the request tells. */
export interface Visit {
  readonly host: string
  readonly slug: string
  readonly agent: string
  /** `Sec-Purpose`: why a browser asks, where that is not a person's click. */
  readonly purpose: string | null
  readonly address: string
  /** Whether only the headers are asked for. */
  readonly isHead: boolean
}

const blank: Omit<DeepLinkSettings, "updated_at"> = {
  url_scheme: null,
  android_package_name: null,
  ios_bundle_id: null,
  fallback_url: null,
  ios_team_id: null,
  android_sha256_fingerprints: null,
}

/** The day of an instant in UTC. */
const dayOf = (at: Date): string => at.toISOString().slice(0, 10)

const invalid = (path: string, message: string) => new InvalidInput({ issues: [{ path, message }] })

type DeepLinksPorts = Pick<
  Ports<DeepLinksDb & EventsDb & UsersDb, DeepLinksControlDb & ProjectsDb>,
  "clock" | "control" | "ids" | "limiter" | "revocations" | "tenants"
>

/** Fails where links of the project may not lead there. */
const checkDestination = Effect.fnUntraced(function* (db: DeepLinksDb, address: string) {
  const settings = Option.getOrNull(yield* db.deepLinkConfigs.find())
  if (!mayPointTo(address, settings?.url_scheme ?? null))
    return yield* invalid("destination_url", "must be an http(s) address, or one of the project's url_scheme")
})

/** Links into apps, counted (spec: deep links; I8). `hosts` are the service's own. */
export const makeDeepLinks = (
  { clock, control, ids, limiter, revocations, tenants }: DeepLinksPorts,
  background: Pick<Dispatcher<BackgroundDb & DeepLinksDb & EventsDb & UsersDb>, "transact">,
  limit: LimitLookups,
  hosts: ReadonlyArray<string>,
) => {
  const projectsOfHosts = makeTtlCache({
    ...{ clock, revocations, millis: freshMillis },
    lookup: (domain) => {
      const found = control.read((db) => db.linkDomains.find({ domain }))
      return limit("control", Effect.map(found, Option.getOrNull))
    },
    // That nobody has a domain is void as soon as somebody claims one.
    dependsOn: (_, found) => [found?.id ?? nilUuid],
  })
  const readyProjects = makeTtlCache({
    ...{ clock, revocations, millis: freshMillis },
    lookup: (id) => {
      const found = control.read((db) => db.projects.find({ id, is_ready: true }))
      return limit("control", Effect.map(found, Option.isSome))
    },
    dependsOn: (id) => [id],
  })

  const configOf = (projectId: string, settings: DeepLinkSettings) =>
    Effect.map(
      control.read((db) => db.linkDomains.find({ id: projectId })),
      (claim): DeepLinkConfig => ({
        id: 1,
        universal_link_domain: Option.getOrNull(claim)?.domain ?? null,
        ...settings,
      }),
    )

  /** Makes a domain the project's, or nobody's. */
  const claim = (id: string, domain: string | null) => {
    const attempt = control.transact(
      Effect.fnUntraced(function* (db) {
        if (domain === null) return void (yield* db.linkDomains.remove({ id }))
        const present = yield* db.linkDomains.lock(id)
        if (Option.isNone(present)) yield* db.linkDomains.insert({ id, domain })
        else yield* db.linkDomains.update(id, { domain })
      }),
    )
    // Two first claims of one project at once: the second one finds the row.
    return Effect.catchTag(attempt, "Duplicate", ({ key }) =>
      key.includes("domain") ? Effect.fail(new DomainTaken()) : Effect.mapError(attempt, () => new DomainTaken()),
    ).pipe(Effect.ensuring(revocations.announce(domain === null ? [id] : [id, nilUuid])))
  }

  /** The project that a host belongs to; null for every other host. What can be no domain is neither looked up nor kept. */
  const projectOfHost = (host: string) =>
    isDomain(host) ? Effect.map(projectsOfHosts.get(host), (found) => found?.id ?? null) : Effect.succeed(null)

  const isCounted = Effect.fnUntraced(function* ({ agent, purpose, address, isHead }: Visit) {
    if (isHead || !isPerson(agent, purpose)) return false
    return (yield* limiter.consume(`deep-links ${limitSubject(address)}`, countedVisits)).allowed
  })

  /** Where a visit goes: where the link leads to, else to the fallback. */
  const visit = Effect.fnUntraced(function* (projectId: string, given: Visit) {
    const counts = yield* isCounted(given)
    return yield* tenants.read(
      projectId,
      Effect.fnUntraced(function* (db) {
        const settings = Option.getOrNull(yield* db.deepLinkConfigs.find())
        const link = Option.getOrNull(yield* db.trackedLinks.find({ slug: given.slug }))
        if (link !== null && mayPointTo(link.destination_url, settings?.url_scheme ?? null)) {
          const click = { tracked_link_id: link.id, platform: readPlatform(given.agent), app_user_id: null }
          if (counts) yield* db.trackedLinks.addClick({ ...click, at: clock.now() })
          return link.destination_url
        }
        return settings?.fallback_url ?? (yield* new NotFound())
      }),
    )
  })

  const appOf = <A>(describe: (config: DeepLinkConfig) => A | null) =>
    Effect.fnUntraced(function* (host: string) {
      const projectId = yield* projectOfHost(host)
      if (projectId === null) return yield* new NotFound()
      const settings = yield* orFail(
        tenants.read(projectId, (db) => db.deepLinkConfigs.find()),
        NotFound,
      )
      return describe(yield* configOf(projectId, settings)) ?? (yield* new NotFound())
    })

  return {
    /** The settings of a project's links. `NOT_FOUND` until some were saved [I8.1]. */
    config: Effect.fn("deepLinks.config")(function* (projectId: string) {
      const settings = yield* orFail(
        tenants.read(projectId, (db) => db.deepLinkConfigs.find()),
        NotFound,
      )
      return yield* configOf(projectId, settings)
    }),

    /**
     * Changes the settings that are given; null clears one. The domain is claimed with them, or nothing changes [I8.2]. `DOMAIN_TAKEN` by
     * another project; `INVALID_INPUT` for one of the service's own.
     */
    configure: Effect.fn("deepLinks.configure")(function* (projectId: string, changes: DeepLinkConfigChanges) {
      const { universal_link_domain: domain, ...given } = changes
      if (typeof domain === "string" && isBelow(domain, hosts))
        return yield* invalid("universal_link_domain", "must not be the service's own host")
      const settings = yield* tenants.transact(
        projectId,
        Effect.fnUntraced(function* (db) {
          const present = Option.getOrElse(yield* db.deepLinkConfigs.lock(), () => blank)
          const changed = { ...present, ...given, updated_at: clock.now() }
          yield* db.deepLinkConfigs.save(changed)
          if (domain !== undefined) yield* claim(projectId, domain)
          return changed
        }),
      )
      return yield* configOf(projectId, settings)
    }),

    /** Makes a link [I8.1]. `SLUG_EXISTS`; `QUOTA_EXCEEDED`; `INVALID_INPUT` for a `destination_url` that does not do. */
    create: Effect.fn("deepLinks.create")(function* (projectId: string, input: NewTrackedLink) {
      const row: TrackedLinkRow = { ...input, id: ids.uuid(), created_at: clock.now() }
      yield* tenants.transact(
        projectId,
        Effect.fnUntraced(function* (db) {
          yield* checkDestination(db, row.destination_url)
          yield* db.trackedLinks.lockCreation()
          if ((yield* db.trackedLinks.count()) >= maxLinks) return yield* new QuotaExceeded({ limit: maxLinks })
          yield* Effect.mapError(db.trackedLinks.insert(row), () => new SlugExists())
        }),
      )
      return { ...row, click_count: 0 }
    }),

    /**
     * Changes where a link leads to, or what the app is given, for everybody who opens it from then on. `NOT_FOUND`; `INVALID_INPUT` for
     * a `destination_url` that does not do [I8.1].
     */
    update: Effect.fn("deepLinks.update")((projectId: string, id: string, changes: TrackedLinkChanges) =>
      tenants.transact(
        projectId,
        Effect.fnUntraced(function* (db) {
          if (changes.destination_url !== undefined) yield* checkDestination(db, changes.destination_url)
          yield* orFail(Effect.orDie(db.trackedLinks.update(id, changes)), NotFound)
          return yield* orFail(db.trackedLinks.findWithClicks(id), NotFound)
        }),
      ),
    ),

    /** The links with their clicks, the newest first [I8.4]. */
    list: (projectId: string, query: ListQuery) =>
      tenants.read(projectId, ({ trackedLinks }) =>
        readLargeList(query, {
          page: (slice) => trackedLinks.pageWithClicks(slice),
          after: (place, slice) => trackedLinks.listWithClicksAfter(place, slice),
          place: ({ created_at, id }) => ({ at: created_at, id }),
        }),
      ),

    /** Removes a link with its clicks. Nothing happens where there is none [I8.4]. */
    remove: (projectId: string, id: string) => tenants.transact(projectId, (db) => db.trackedLinks.remove({ id })),

    /** How often a link was opened, by platform, and by how many users [I8.4]. `NOT_FOUND`. */
    stats: (projectId: string, id: string) =>
      orFail(
        tenants.read(projectId, (db) => db.trackedLinks.stats(id)),
        NotFound,
      ),

    /** A link with how often it was opened [I8.4]. `NOT_FOUND`. */
    find: (projectId: string, id: string) =>
      orFail(
        tenants.read(projectId, (db) => db.trackedLinks.findWithClicks(id)),
        NotFound,
      ),

    /**
     * How often a link was opened on each of the last so many days in UTC, today included, the earliest first. `NOT_FOUND` without the
     * link [I8.4].
     */
    clicksByDay: Effect.fn("deepLinks.clicksByDay")(function* (projectId: string, id: string, count: number) {
      const today = clock.now().getTime()
      const days = Array.from({ length: count }, (_, at) => dayOf(new Date(today - (count - 1 - at) * dayMillis)))
      const found = yield* tenants.read(
        projectId,
        Effect.fnUntraced(function* (db) {
          yield* orFail(db.trackedLinks.find({ id }), NotFound)
          return yield* db.trackedLinks.daysSince(id, days[0] ?? dayOf(new Date(today)))
        }),
      )
      const byDay = new Map(found.map((each) => [each.day, each]))
      return days.map((day): LinkDay => byDay.get(day) ?? { day, ios: 0, android: 0, web: 0, unknown: 0 })
    }),

    /**
     * Where a link of a project leads to, asked for by the project's id: not on another project's domain [I8.2]. `NOT_FOUND` without the
     * project, or with neither the link nor a `fallback_url`.
     */
    visitOf: Effect.fn("deepLinks.visitOf")(function* (projectId: string, given: Visit) {
      const owner = yield* projectOfHost(given.host)
      if (owner !== null && owner !== projectId) return yield* new NotFound()
      if (!(yield* readyProjects.get(projectId))) return yield* new NotFound()
      return yield* visit(projectId, given)
    }),

    /**
     * Where a link leads to on the domain of its project [I8.2]. `NOT_FOUND` where no project has the domain, or with neither the link
     * nor a `fallback_url`.
     */
    visit: Effect.fn("deepLinks.visit")(function* (given: Visit) {
      const projectId = yield* projectOfHost(given.host)
      return projectId === null ? yield* new NotFound() : yield* visit(projectId, given)
    }),

    /**
     * Where a link leads to, for a user of the app: counts the click and writes `deep_link_opened` [I8.3]. `NOT_FOUND`; `INVALID_TOKEN`
     * for a user who is gone.
     */
    resolve: Effect.fn("deepLinks.resolve")((projectId: string, userId: string, slug: string, platform: Platform) =>
      background.transact(
        projectId,
        Effect.fnUntraced(function* (db) {
          const at = clock.now()
          yield* orFail(db.users.find({ id: userId }), InvalidToken)
          const settings = Option.getOrNull(yield* db.deepLinkConfigs.find())
          const link = yield* orFail(db.trackedLinks.find({ slug }), NotFound)
          if (!mayPointTo(link.destination_url, settings?.url_scheme ?? null)) return yield* new NotFound()
          yield* db.trackedLinks.addClick({ tracked_link_id: link.id, platform, app_user_id: userId, at })
          const id = ids.uuid()
          const opened = { event_name: "deep_link_opened", properties: { slug }, occurred_at: at }
          yield* db.events.insertCaused([
            { ...opened, id, app_user_id: userId, cause_key: `deep-links/${id}/deep_link_opened` },
          ])
          return link
        }),
      ),
    ),

    /** What Apple asks the domain (`host`) of a project for: `apple-app-site-association`. `NOT_FOUND` where no project has it [I8.3]. */
    appleApp: appOf(describeAppleApp),

    /** What Android asks the domain (`host`) of a project for: `assetlinks.json`. `NOT_FOUND` where no project has it [I8.3]. */
    androidApp: appOf(describeAndroidApp),
  }
}

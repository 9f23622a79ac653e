import type { ControlDb, TenantDb } from "@hearth/core"
import { allTime } from "@hearth/core/leaderboards"
import type { Effect } from "effect"
import { anId } from "../../builders.ts"
import type { Arguments } from "./arguments.ts"

/** A call of a repository that finds nothing and changes nothing in an empty database. */
export type Call<Db> = (db: Db, given: Arguments) => Effect.Effect<unknown, unknown>

const budget = { rows: 5, bytes: 1_000 }
const anybody = { operator: "AND", conditions: [] } as const

const streakOf = (a: Arguments) => ({ app_user_id: a.id, streak_definition_id: a.id })

const progressCalls: Readonly<Record<string, Call<TenantDb>>> = {
  "userAchievements.listClosed": (db, a) => db.userAchievements.listClosed([a.id]),
  "userAchievements.listCandidates": (db, a) => db.userAchievements.listCandidates(a.id, a.id, a.limit),
  "userAchievements.preview": (db, a) => db.userAchievements.preview(anybody, a.id, new Date(), 5),
  "eventEffects.listAsked": (db, a) => db.eventEffects.listAsked([a.id]),
  "eventEffects.find": (db, a) => db.eventEffects.find(a.id),
  "eventEffects.forget": (db, a) => db.eventEffects.forget(a.at, a.limit),
  "leaderboardScores.add": (db, a) =>
    db.leaderboardScores.add([
      { boards: [], additions: [{ app_user_id: a.id, window_start: a.day, units: 1n, reached_at: a.at }] },
    ]),
  "leaderboardScores.refreshStreaks": (db, a) =>
    db.leaderboardScores.refreshStreaks(
      [{ period: "daily", boards: [{ leaderboard_id: a.id, version: 1 }] }],
      [{ app_user_id: a.id, from: a.at }],
    ),
  "leaderboardScores.lockUsersAfter": (db, a) => db.leaderboardScores.lockUsersAfter(a.id, a.limit),
  "leaderboardScores.removeStale": (db, a) => db.leaderboardScores.removeStale({ leaderboard_id: a.id, version: 1 }, 5),
  "leaderboardScores.page": (db, a) =>
    db.leaderboardScores.page({
      ...{ board: { id: a.id, version: 1, max_entries: 5 }, window_start: a.day, caller: a.id, around: false },
      slice: { limit: 5, offset: 0 },
    }),
  "leaderboardScores.listAfter": (db, a) =>
    db.leaderboardScores.listAfter({
      ...{ board: { id: a.id, version: 1, max_entries: 5 }, window_start: a.day, slice: a.slice },
      after: { units: 1n, reached_at: a.at, app_user_id: a.id },
    }),
  "leaderboardScores.standings": (db, a) =>
    db.leaderboardScores.standings([{ leaderboard_id: a.id, app_user_id: a.id, window_start: allTime }]),
  "leaderboardScores.listByUser": (db, a) => db.leaderboardScores.listByUser(a.id),
  "streakDefinitions.lockMany": (db, a) => db.streakDefinitions.lockMany([a.id]),
  "userStreaks.ofUsers": (db, a) => db.userStreaks.ofUsers([a.id]),
  "userStreaks.lockMany": (db, a) => db.userStreaks.lockMany([streakOf(a)]),
  "userStreaks.expired": (db, a) => db.userStreaks.expired(a.at, a.limit),
  "userStreaks.awaitingRebuild": (db, a) => db.userStreaks.awaitingRebuild(a.id, a.text, a.id, a.limit),
  "userStreaks.grants": (db, a) => db.userStreaks.grants([streakOf(a)]),
  "userStreaks.replacePeriods": (db, a) => db.userStreaks.replacePeriods([{ ...streakOf(a), after: a.day }], []),
  "userStreaks.lastDoneBefore": (db, a) => db.userStreaks.lastDoneBefore([{ ...streakOf(a), from: a.at }]),
  "userStreaks.uncountedPeriods": (db, a) => db.userStreaks.uncountedPeriods([{ ...streakOf(a), after: a.day }]),
  "userStreaks.periodsFrom": (db, a) => db.userStreaks.periodsFrom(streakOf(a), a.day),
  "userStreaks.recentPeriods": (db, a) => db.userStreaks.recentPeriods(a.id, 5),
  "qualifyingEvents.list": (db, a) => db.qualifyingEvents.list([{ ...streakOf(a), from: a.at }], a.limit),
  "qualifyingEvents.firstOfSpans": (db, a) =>
    db.qualifyingEvents.firstOfSpans(streakOf(a), [{ from: a.day, through: a.day }], a.limit),
  "qualifyingEvents.removeSome": (db, a) => db.qualifyingEvents.removeSome(a.id, a.limit),
  "xpEntries.findCauses": (db, a) => db.xpEntries.findCauses([a.text]),
  "xpEntries.newest": (db, a) => db.xpEntries.newest(a.id, a.limit),
  "xpEntries.markRanked": (db, a) => db.xpEntries.markRanked([a.id]),
  "xpEntries.removeSome": (db, a) => db.xpEntries.removeSome(a.id, a.limit),
  "xpTotals.find": (db, a) => db.xpTotals.find(a.id),
  "xpTotals.findMany": (db, a) => db.xpTotals.findMany([a.id]),
  "xpTotals.lockMany": (db, a) => db.xpTotals.lockMany([a.id]),
  "xpDays.list": (db, a) => db.xpDays.list([{ app_user_id: a.id, event_name: a.text, day: a.day }]),
  "xpRules.listByName": (db, a) => db.xpRules.listByName([a.text]),
}

const moneyCalls: Readonly<Record<string, Call<TenantDb>>> = {
  "currencies.findCodes": (db, a) => db.currencies.findCodes([a.text]),
  "purses.lockMany": (db, a) => db.purses.lockMany([a.id]),
  "wallets.open": (db, a) => db.wallets.open([{ app_user_id: a.id, currency_id: a.id }]),
  "wallets.openOne": (db, a) => db.wallets.openOne(a.id, a.text),
  "wallets.lockAll": (db, a) => db.wallets.lockAll(a.id),
  "wallets.ofUser": (db, a) => db.wallets.ofUser(a.id),
  "wallets.transactions": (db, a) => db.wallets.transactions(a.id, a.slice),
  "wallets.transactionsBefore": (db, a) => db.wallets.transactionsBefore(a.id, a.id, a.slice),
  "wallets.findTransaction": (db, a) => db.wallets.findTransaction(a.id),
  "wallets.isReversed": (db, a) => db.wallets.isReversed(a.id),
  "entitlements.listMany": (db, a) => db.entitlements.listMany([{ app_user_id: a.id, entitlement_id: a.text }]),
  "entitlements.removeMany": (db, a) => db.entitlements.removeMany([a.id]),
  "entitlements.ofUsers": (db, a) => db.entitlements.ofUsers([a.id]),
  "entitlementSources.ended": (db, a) => db.entitlementSources.ended(a.at, a.limit),
  "entitlementSources.listProvided": (db, a) => db.entitlementSources.listProvided([a.id]),
  "catalogItems.lockKeys": (db, a) => db.catalogItems.lockKeys([a.text]),
  "catalogItems.removePrices": (db, a) => db.catalogItems.removePrices(a.text),
  "listings.pageOfStore": (db, a) => db.listings.pageOfStore(a.id, a.slice),
  "listings.pageOnSale": (db, a) => db.listings.pageOnSale(a.id, a.at, a.slice),
  "listings.removePrices": (db, a) => db.listings.removePrices(a.text),
  "stores.pageOpenTo": (db, a) => db.stores.pageOpenTo(a.id, a.slice),
  "inventory.pageOfUser": (db, a) => db.inventory.pageOfUser(a.id, a.slice),
  "purchases.countByListing": (db, a) => db.purchases.countByListing(a.id, [a.id]),
  "subscriptionEvents.find": (db, a) => db.subscriptionEvents.find(a.id),
  "subscriptionEvents.connected": (db, a) => db.subscriptionEvents.connected([a.text], [a.id], a.limit),
  "subscriptionEvents.listRaw": (db, a) => db.subscriptionEvents.listRaw([a.id]),
  "subscriptionEvents.share": (db, a) => db.subscriptionEvents.share([{ inbox_id: a.id, app_user_id: a.id }]),
  "webhookInbox.find": (db, a) => db.webhookInbox.find(a.id),
  "webhookInbox.page": (db, a) => db.webhookInbox.page({ provider: null, status: null, user_id: a.id }, a.slice),
  "webhookInbox.listAfter": (db, a) =>
    db.webhookInbox.listAfter({ provider: null, status: null, user_id: a.id }, { at: a.at, id: a.id }, a.slice),
  "webhookInbox.keepNewestWithoutId": (db, a) => db.webhookInbox.keepNewestWithoutId("paywall", a.limit),
  "webhookInbox.finish": (db, a) =>
    db.webhookInbox.finish(a.id, {
      ...{ status: "processed", error: a.text, processed_at: a.at, user_ids: [a.id], waits_for: [a.text] },
    }),
  "webhookInbox.fail": (db, a) => db.webhookInbox.fail(a.id, a.text, a.at),
  "webhookInbox.usersOf": (db, a) => db.webhookInbox.usersOf([a.id]),
  "webhookInbox.resolve": (db, a) => db.webhookInbox.resolve([a.text]),
  "webhookInbox.enqueueWaiting": (db, a) => db.webhookInbox.enqueueWaiting(a.text, a.id, a.limit),
  "webhookInbox.forgetUser": (db, a) => db.webhookInbox.forgetUser(a.id, a.limit),
  "webhookInbox.forgetWaiting": (db, a) => db.webhookInbox.forgetWaiting([a.text], a.limit),
  "webhookInbox.removeOld": (db, a) => db.webhookInbox.removeOld(a.at, a.limit),
}

const userCalls: Readonly<Record<string, Call<TenantDb>>> = {
  "activeDays.addFromEvents": (db, a) => db.activeDays.addFromEvents(a.id, a.limit),
  "activeDays.add": (db, a) => db.activeDays.add([{ app_user_id: a.id, day: a.day }]),
  "analytics.sessions": (db, a) => db.analytics.sessions({ since: a.at, until: a.at }, a.at),
  "analytics.activeByDay": (db, a) => db.analytics.activeByDay({ first: a.day, last: a.day }),
  "analytics.activeUsers": (db, a) => db.analytics.activeUsers({ first: a.day, last: a.day }, a.day),
  "analytics.newByDay": (db, a) => db.analytics.newByDay({ since: a.at, until: a.at }),
  "analytics.cohortSizes": (db, a) => db.analytics.cohortSizes({ since: a.at, until: a.at }),
  "analytics.cohortActivity": (db, a) => db.analytics.cohortActivity({ since: a.at, until: a.at }),
  "authSessions.listLive": (db, a) => db.authSessions.families.listLive(a.id, a.at),
  "authSessions.revokeAll": (db, a) => db.authSessions.families.revokeAll(a.id, a.at),
  "magicLinks.lockByHash": (db, a) => db.magicLinks.lockByHash(a.text),
  "magicLinks.removeOld": (db, a) => db.magicLinks.removeOld(a.at, a.limit),
  "magicLinks.removeOf": (db, a) => db.magicLinks.removeOf(a.text),
  "events.listByIds": (db, a) => db.events.listByIds([a.id], { properties: true }),
  "events.listAt": (db, a) => db.events.listAt(a.id, [a.at], a.text, 5),
  "events.tail": (db, a) =>
    db.events.tail(
      { since: a.at, until: a.at, event_name: a.text, app_user_id: a.id },
      { occurred_at: a.at, id: a.id },
      a.limit,
    ),
  "events.count": (db, a) => db.events.count({ since: a.at, until: a.at, event_name: a.text }),
  "events.countBy": (db, a) => db.events.countBy("day", { since: a.at, until: a.at, event_name: a.text }),
  "events.pageOfUser": (db, a) => db.events.pageOfUser(a.id, a.slice),
  "events.removeSome": (db, a) => db.events.removeSome(a.id, a.limit),
  "exports.users": (db, a) => db.exports.users("csv", { since: a.at, segment_id: a.id }, [a.id], budget),
  "exports.userEvents": (db, a) =>
    db.exports.userEvents(
      "ndjson",
      { user_id: a.id, since: a.at, until: a.at, event_name: a.text },
      [a.at.toISOString(), a.id],
      budget,
    ),
  "exports.reviews": (db, a) =>
    db.exports.reviews("csv", { since: a.at, rating_min: 1, rating_max: 5 }, [a.id], budget),
  "pushCampaigns.findOpen": (db, a) => db.pushCampaigns.findOpen(a.at, a.limit),
  "pushCampaigns.nextScheduledAt": (db, a) => db.pushCampaigns.nextScheduledAt(a.at),
  "pushCampaigns.forgetSchedules": (db, a) => db.pushCampaigns.forgetSchedules(a.at, a.limit),
  "pushTokens.lockForUser": (db, a) => db.pushTokens.lockForUser(a.id, a.text),
  "pushTokens.limitActive": (db, a) => db.pushTokens.limitActive({ id: a.id, app_user_id: a.id }, 2, a.at, a.text),
  "pushTokens.deactivateAll": (db, a) => db.pushTokens.deactivateAll(a.id, a.at, a.text),
  "pushTokens.forget": (db, a) => db.pushTokens.forget(a.id, a.text),
  "pushTokens.latestActive": (db, a) => db.pushTokens.latestActive(a.id),
  "pushAudiences.countZones": (db, a) => db.pushAudiences.countZones({ segment_id: a.id, rules: null }, new Date()),
  "pushAudiences.sample": (db, a) =>
    db.pushAudiences.sample({ segment_id: a.id, rules: null }, new Date(), [a.text], a.limit),
  "pushDeliveries.claim": (db, a) =>
    db.pushDeliveries.claim(a.id, {
      ...{ now: a.at, limit: a.limit, providers: ["push_a"] as const, after: { try_at: a.at, id: a.id } },
      properties: [a.text],
    }),
  "pushDeliveries.finish": (db, a) =>
    db.pushDeliveries.finish(
      [{ id: a.id, app_user_id: a.id, status: "failed", error: a.text, try_at: a.at }],
      a.at,
      a.at,
    ),
  "pushDeliveries.deactivate": (db, a) =>
    db.pushDeliveries.deactivate([{ push_token_id: a.id, reason: a.text, since: a.at }], a.at),
  "pushDeliveries.giveUp": (db, a) => db.pushDeliveries.giveUp(a.id, a.at, a.limit),
  "pushDeliveries.settle": (db, a) => db.pushDeliveries.settle(a.id, "failed", a.text, a.limit),
  "pushDeliveries.waiting": (db, a) => db.pushDeliveries.waiting(a.id),
  "pushDeliveries.receive": (db, a) => db.pushDeliveries.receive(a.id, { delivery_id: a.id, type: "opened" }, a.at),
  "pushDeliveries.forget": (db, a) => db.pushDeliveries.forget(a.id, a.limit),
  "pushStats.ofCampaigns": (db, a) => db.pushStats.ofCampaigns([a.id]),
  "pushStats.add": (db, a) => db.pushStats.add(a.id, { sent: 1 }),
  "pushStats.end": (db, a) => db.pushStats.end(a.id, a.at),
  "pushStats.listOpen": (db, a) => db.pushStats.listOpen(a.limit),
  "pushStats.markForgotten": (db, a) => db.pushStats.markForgotten(a.id),
  "ruleFacts.read": (db, a) => db.ruleFacts.read([{ user_id: a.id, rules: [anybody] }], new Date()),
  "segments.lockEvaluation": (db, a) => db.segments.lockEvaluation(a.id),
  "segments.preview": (db, a) => db.segments.preview(anybody, new Date(), a.limit),
  "segments.membership": (db, a) => db.segments.membership(a.id, a.id),
  "segmentMembers.lockSegments": (db, a) => db.segmentMembers.lockSegments([a.id]),
  "segmentMembers.remove": (db, a) => db.segmentMembers.remove([a.id], [a.id]),
  "trackingSessions.lockOf": (db, a) => db.trackingSessions.lockOf(a.id, a.text),
  "trackingSessions.lockDue": (db, a) => db.trackingSessions.lockDue(a.at, a.limit),
  "users.pageMatching": (db, a) => db.users.pageMatching({ search: a.text, segment_id: a.id, ids: [a.id] }, a.slice),
  "users.newest": (db, a) => db.users.newest(a.limit),
  "users.profile": (db, a) => db.users.profile(a.id),
  "users.lockZones": (db, a) => db.users.lockZones([a.id]),
  "users.seen": (db, a) => db.users.seen([{ id: a.id, at: a.at }]),
  "users.countActive": (db, a) => db.users.countActive(a.at, a.at, a.limit),
  "users.hasLiveSession": (db, a) => db.users.hasLiveSession(a.id, a.id),
  "users.lockMany": (db, a) => db.users.lockMany([a.id]),
  "users.mayExceed": (db, a) => db.users.mayExceed([a.id], { text: a.text }, 5),
  "users.propertiesOf": (db, a) => db.users.propertiesOf([a.id]),
  "users.mergeProperties": (db, a) => db.users.mergeProperties([a.id], { text: a.text }, a.at),
}

const backgroundCalls: Readonly<Record<string, Call<TenantDb>>> = {
  "outbox.look": (db, a) => db.outbox.look([a.text]),
  "deadLetters.find": (db, a) => db.deadLetters.find(a.id),
  "deadLetters.page": (db, a) => db.deadLetters.page(null, a.slice),
  "deadLetters.listAfter": (db, a) => db.deadLetters.listAfter(null, { at: a.at, id: a.id }, a.slice),
  "deadLetters.nextDue": (db, a) => db.deadLetters.nextDue(a.at, [a.text]),
  "deadLetters.nextTryAt": (db, a) => db.deadLetters.nextTryAt([a.text]),
  "deadLetters.retry one": (db, a) => db.deadLetters.retry({ id: a.id }, a.at),
  "deadLetters.retry all": (db, a) => db.deadLetters.retry({ reaction: a.text }, a.at),
  "deadLetters.remove": (db, a) => db.deadLetters.remove(a.id),
  "deadLetters.countSince": (db, a) => db.deadLetters.countSince(a.text, a.at),
  "introducedReactions.remove": (db, a) => db.introducedReactions.remove(a.text),
  "idempotentAnswers.claim": (db, a) => db.idempotentAnswers.claim({ scope: "scope", key: a.text }),
}

/** Calls of what is about one project in the control database. */
export const controlCalls: Readonly<Record<string, Call<ControlDb>>> = {
  "sessions.listLive": (db, a) => db.sessions.families.listLive(a.id, a.at),
  "sessions.revokeAll": (db, a) => db.sessions.families.revokeAll(a.id, a.at),
  "projects.pageOfMember": (db, a) => db.projects.pageOfMember(a.id, a.slice),
  "members.pageOfProject": (db, a) => db.members.pageOfProject(a.id, a.slice),
  "members.roleOf": (db, a) => db.members.roleOf(a.id, a.id),
  "members.lockRole": (db, a) => db.members.lockRole(a.id, anId()),
  "members.lockRoles": (db, a) => db.members.lockRoles(a.id, [anId()]),
  "apiKeys.projectOf": (db, a) => db.apiKeys.projectOf(a.text),
  "jobs.markPending": (db, a) => db.jobs.markPending(a.id, a.text, a.at, a.at),
  "jobs.versions": (db, a) => db.jobs.versions(a.id),
  "jobs.schedule": (db, a) => db.jobs.schedule(a.id, a.at, [{ job: a.text, version: 1, run_at: a.at }]),
  "jobs.due": (db, a) => db.jobs.due([a.text], a.at, a.limit),
  "integrations.findActive": (db, a) => db.integrations.findActive(a.id, "paywall"),
  "integrations.lockSealedWith": (db, a) => db.integrations.lockSealedWith([a.text], a.id, a.limit),
  "integrations.reseal": (db, a) => db.integrations.reseal([{ id: a.id, sealed: a.text, sealed_with: a.text }]),
  "refusedCalls.page": (db, a) => db.refusedCalls.page(a.id, { code: a.text, status: null, since: a.at }, a.slice),
  "projectFiles.due": (db, a) => db.projectFiles.due(a.at, a.limit),
}

export { backgroundCalls, moneyCalls, progressCalls, userCalls }

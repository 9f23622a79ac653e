import { InvalidInput, InvalidToken, ListCursor, NotFound, QuotaExceeded, Text } from "@hearth/core"
import {
  DeepLinkConfig,
  DeepLinkConfigChanges,
  DomainTaken,
  LinkDay,
  LinkStats,
  NewTrackedLink,
  Platform,
  ResolvedLink,
  SlugExists,
  TrackedLink,
  TrackedLinkChanges,
  type Visit,
} from "@hearth/core/deep-links"
import { InvalidCursor } from "@hearth/core/events"
import { Effect, Schema } from "effect"
import { digits, paging, readsOn } from "../http/request/query.ts"
import { created, deleted, json, listPageOf, ok, redirect, sliceOf } from "../http/response/answers.ts"
import { route } from "./route.ts"

interface VisitCall {
  readonly host: string
  readonly address: string
  readonly method: string
  readonly header: (name: string) => string | null
}

const readVisit = (slug: string, { host, address, method, header }: VisitCall): Visit => ({
  ...{ slug, host, address },
  agent: header("user-agent") ?? "",
  purpose: header("sec-purpose") ?? header("purpose"),
  isHead: method === "HEAD",
})

const days = digits(1, 366).pipe(Schema.withDecodingDefaultKey(Effect.succeed("30")))

/** Spec: admin plane, deep links. */
const adminLinks = [
  route("GET", "/admin/projects/:projectId/deep-links/config", {
    id: "deepLinks.config.get",
    summary: "Shows the settings of the project's links",
    description: "All fields are null until they are set with `deepLinks.config.update`.",
    access: "developer",
    errors: [NotFound],
    returns: ok(DeepLinkConfig),
    run: ({ core, params }) => core.deepLinks.config(params.projectId),
  }),
  route("GET", "/admin/projects/:projectId/deep-links/settings", {
    id: "deepLinks.settings.get",
    summary: "Shows the settings of the project's links, or that there are none yet",
    description:
      "For pages that show them: `config` is null where `deepLinks.config.get` answers 404, so that nothing is refused.",
    access: "developer",
    returns: ok(Schema.Struct({ config: Schema.NullOr(DeepLinkConfig) })),
    run: ({ core, params }) =>
      core.deepLinks.config(params.projectId).pipe(
        Effect.catchTag("NotFound", () => Effect.succeed(null)),
        Effect.map((config) => ({ config })),
      ),
  }),
  route("PUT", "/admin/projects/:projectId/deep-links/config", {
    id: "deepLinks.config.update",
    summary: "Changes the settings that are given; null clears one",
    description: "With your own domain, its `/.well-known` files are answered for iOS and Android.",
    access: "developer",
    body: DeepLinkConfigChanges,
    errors: [InvalidInput, DomainTaken],
    returns: ok(DeepLinkConfig),
    fault: "UPSERT_FAILED",
    run: ({ core, params, body }) => core.deepLinks.configure(params.projectId, body),
  }),
  route("POST", "/admin/projects/:projectId/deep-links/tracked", {
    id: "deepLinks.create",
    summary: "Makes a link that counts how often it is opened",
    description:
      "Share `/l/{projectId}/{slug}`, or `/l/{slug}` on your own domain. `metadata` is handed to the app that resolves the link.",
    access: "developer",
    body: NewTrackedLink,
    errors: [InvalidInput, SlugExists, QuotaExceeded],
    returns: created(TrackedLink),
    run: ({ core, params, body }) => core.deepLinks.create(params.projectId, body),
  }),
  route("GET", "/admin/projects/:projectId/deep-links/tracked", {
    id: "deepLinks.list",
    summary: "Lists the links with their clicks, the newest first",
    description:
      "`click_count` counts every time that it was opened. With `cursor=start`, and the `next_cursor` of each answer from then on, it is read to its end, however long it is.",
    access: "developer",
    query: { ...paging(), ...readsOn(ListCursor) },
    malformed: { cursor: InvalidCursor },
    returns: listPageOf(TrackedLink, ListCursor),
    run: ({ core, params, query }) => core.deepLinks.list(params.projectId, query),
  }),
  route("GET", "/admin/projects/:projectId/deep-links/tracked/:linkId", {
    id: "deepLinks.get",
    summary: "Shows a link with its clicks",
    description: "`click_count` counts every time that it was opened.",
    access: "developer",
    errors: [NotFound],
    returns: ok(TrackedLink),
    run: ({ core, params }) => core.deepLinks.find(params.projectId, params.linkId),
  }),
  route("PATCH", "/admin/projects/:projectId/deep-links/tracked/:linkId", {
    id: "deepLinks.update",
    summary: "Changes where a link leads to, or its metadata",
    description:
      "Only the keys that are sent change. The slug stays, as do the clicks: what is printed goes on to work.",
    access: "developer",
    body: TrackedLinkChanges,
    errors: [InvalidInput, NotFound],
    returns: ok(TrackedLink),
    run: ({ core, params, body }) => core.deepLinks.update(params.projectId, params.linkId, body),
  }),
  route("DELETE", "/admin/projects/:projectId/deep-links/tracked/:linkId", {
    id: "deepLinks.delete",
    summary: "Removes a link with its clicks",
    description: "Who opens it then is led to the fallback of the project.",
    access: "developer",
    returns: deleted,
    run: ({ core, params }) => core.deepLinks.remove(params.projectId, params.linkId),
  }),
  route("GET", "/admin/projects/:projectId/deep-links/tracked/:linkId/stats", {
    id: "deepLinks.stats",
    summary: "Shows how often a link was opened, by platform, and by how many known users",
    description: "`unique_users` are the known users who have opened it.",
    access: "developer",
    errors: [NotFound],
    returns: ok(LinkStats),
    run: ({ core, params }) => core.deepLinks.stats(params.projectId, params.linkId),
  }),
  route("GET", "/admin/projects/:projectId/deep-links/tracked/:linkId/days", {
    id: "deepLinks.days",
    summary: "Shows how often a link was opened on each of the last days, by platform",
    description: "Days are in UTC, the earliest first; today is the last one. Days without a click are in it, too.",
    access: "developer",
    query: { days, ...paging(1000) },
    errors: [InvalidInput, NotFound],
    returns: sliceOf(LinkDay),
    run: ({ core, params, query }) => core.deepLinks.clicksByDay(params.projectId, params.linkId, query.days),
  }),
]

/** Decisions D and I8: where a link leads to. */
const visits = [
  route("GET", "/client/deep-links/resolve", {
    id: "client.deepLinks.resolve",
    summary: "Shows where a link leads to, and counts that the caller opened it",
    description: "The app calls it with the slug of the link that has opened it, to find out what to show.",
    access: "client",
    writes: true,
    query: { slug: Text, platform: Schema.optionalKey(Platform) },
    errors: [InvalidToken, NotFound],
    returns: ok(ResolvedLink),
    run: ({ core, caller, query: { slug, platform } }) =>
      core.deepLinks.resolve(caller.project_id, caller.user_id, slug, platform),
  }),
  route("GET", "/l/:projectId/:slug", {
    id: "links.open",
    summary: "Leads to where a link of the project points to, else to its fallback",
    description: "Made for browsers: the answer is a redirect. It needs no credential.",
    base: "root",
    access: "public",
    params: { slug: Text },
    errors: [NotFound],
    returns: redirect(),
    run: ({ core, params, ...call }) => core.deepLinks.visitOf(params.projectId, readVisit(params.slug, call)),
  }),
  route("GET", "/l/:slug", {
    id: "links.openOnDomain",
    summary: "The same on the project's own domain",
    description: "The project is known by the host.",
    base: "root",
    access: "public",
    params: { slug: Text },
    errors: [NotFound],
    returns: redirect(),
    run: ({ core, params, ...call }) => core.deepLinks.visit(readVisit(params.slug, call)),
  }),
  route("GET", "/.well-known/apple-app-site-association", {
    id: "links.appleAppSiteAssociation",
    summary: "Tells Apple which app opens the links of this domain",
    description: "iOS fetches it when the app is installed. It is made from the project's settings.",
    base: "root",
    access: "public",
    errors: [NotFound],
    returns: json(Schema.Json),
    run: ({ core, host }) => core.deepLinks.appleApp(host),
  }),
  route("GET", "/.well-known/assetlinks.json", {
    id: "links.androidAssetLinks",
    summary: "Tells Android which app opens the links of this domain",
    description: "Android fetches it when the app is installed. It is made from the project's settings.",
    base: "root",
    access: "public",
    errors: [NotFound],
    returns: json(Schema.Json),
    run: ({ core, host }) => core.deepLinks.androidApp(host),
  }),
]

/** Links into apps. */
export const deepLinkRoutes = [...adminLinks, ...visits]

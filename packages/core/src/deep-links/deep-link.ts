import { Schema, Struct } from "effect"
import { failure } from "../failure.ts"
import { Count, Day, JsonObject, partial, Text, Timestamp, text, Uuid, withDefaults } from "../schema.ts"
import { isWebAddress } from "../web-address.ts"
import { isDomain, isUrlScheme, platforms } from "./rules.ts"

/** The slug is taken in this project. */
export class SlugExists extends failure("SlugExists", "conflict", "SLUG_EXISTS", "There is a link of this slug.") {}

/** The domain is another project's. */
export class DomainTaken extends failure(
  "DomainTaken",
  "conflict",
  "DOMAIN_TAKEN",
  "The domain is another project's.",
) {}

const checked = (isValid: (value: string) => boolean, message: string) =>
  text(1, 2048).check(Schema.makeFilter((value: string) => isValid(value) || message))

/** Where a link was opened, as far as that can be told. */
export const Platform = Schema.Literals(platforms)
export type Platform = typeof Platform.Type

const settings = {
  /** The scheme of the project's own app; links may point to it. */
  url_scheme: Schema.NullOr(checked(isUrlScheme, "must be the scheme of an app, not one of the web or the system")),
  android_package_name: Schema.NullOr(text(1, 255)),
  ios_bundle_id: Schema.NullOr(text(1, 255)),
  /** Where a visit goes whose link is not there. */
  fallback_url: Schema.NullOr(checked(isWebAddress, "must be an http(s) address")),
  ios_team_id: Schema.NullOr(Text.check(Schema.isPattern(/^[A-Z0-9]{10}$/, { message: "must be 10 of A-Z and 0-9" }))),
  android_sha256_fingerprints: Schema.NullOr(
    Schema.Array(
      Text.check(
        Schema.isPattern(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/i, { message: "must be 32 bytes in hex with colons" }),
      ),
    ).check(Schema.isMaxLength(20)),
  ),
}

/** The settings of a project's links that are its own. The domain is not: it is claimed among all projects [I8.2]. */
export const DeepLinkSettings = Schema.Struct({ ...settings, updated_at: Timestamp })
export type DeepLinkSettings = typeof DeepLinkSettings.Type

const domain = {
  /** The host on which the project's links are served without its id. */
  universal_link_domain: Schema.NullOr(
    checked(isDomain, "must be a lower-case domain without a port, like go.example.com"),
  ),
}

/** The settings of a project's links (spec: deep links, config). */
export const DeepLinkConfig = Schema.Struct({
  id: Schema.Literal(1),
  ...domain,
  ...DeepLinkSettings.fields,
}).annotate({ identifier: "DeepLinkConfig" })
export type DeepLinkConfig = typeof DeepLinkConfig.Type

/** The settings that are given; those left out stay, null clears. */
export const DeepLinkConfigChanges = Schema.Struct(partial({ ...domain, ...settings })).annotate({
  identifier: "DeepLinkConfigChanges",
})
export type DeepLinkConfigChanges = typeof DeepLinkConfigChanges.Type

/** The domain of a project. The id is the project's. Unique: `domain`. */
export const LinkDomain = Schema.Struct({ id: Uuid, domain: Text })
export type LinkDomain = typeof LinkDomain.Type

/** A link as stored. Unique: `slug`. */
export const TrackedLinkRow = Schema.Struct({
  id: Uuid,
  slug: Text.check(Schema.isPattern(/^[A-Za-z0-9_-]{1,64}$/, { message: "must be 1 to 64 of A-Z, a-z, 0-9, _ and -" })),
  destination_url: text(1, 2048),
  metadata: JsonObject,
  created_at: Timestamp,
})
export type TrackedLinkRow = typeof TrackedLinkRow.Type

/** A link with how often it was opened (spec: tracked link). */
export const TrackedLink = Schema.Struct({ ...TrackedLinkRow.fields, click_count: Count }).annotate({
  identifier: "TrackedLink",
})
export type TrackedLink = typeof TrackedLink.Type

/** What a link is made with. */
export const NewTrackedLink = Schema.Struct(
  withDefaults(Struct.pick(TrackedLinkRow.fields, ["slug", "destination_url", "metadata"]), { metadata: {} }),
).annotate({ identifier: "NewTrackedLink" })
export type NewTrackedLink = typeof NewTrackedLink.Type

/** What of a link can be changed. The slug cannot: it is out already. */
export const TrackedLinkChanges = Schema.Struct(
  partial(Struct.pick(TrackedLinkRow.fields, ["destination_url", "metadata"])),
).annotate({ identifier: "TrackedLinkChanges" })
export type TrackedLinkChanges = typeof TrackedLinkChanges.Type

const byPlatform = { ios: Count, android: Count, web: Count, unknown: Count }

/** How often a link was opened, and by how many known users. */
export const LinkStats = Schema.Struct({
  tracked_link_id: Uuid,
  slug: Schema.String,
  total_clicks: Count,
  unique_users: Count,
  clicks_by_platform: Schema.Struct(byPlatform),
}).annotate({ identifier: "LinkStats" })
export type LinkStats = typeof LinkStats.Type

/** How often a link was opened on a day in UTC, by platform. */
export const LinkDay = Schema.Struct({ day: Day, ...byPlatform }).annotate({ identifier: "LinkDay" })
export type LinkDay = typeof LinkDay.Type

/** Where a link leads to. */
export const ResolvedLink = Schema.Struct(Struct.pick(TrackedLinkRow.fields, ["destination_url", "metadata"])).annotate(
  {
    identifier: "ResolvedLink",
  },
)

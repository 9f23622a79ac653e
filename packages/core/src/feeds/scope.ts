import { Schema, SchemaGetter } from "effect"
import { isUuid } from "../schema.ts"

const isPlainUuid = Schema.makeFilter((text: string) => isUuid(text) || "must be a uuid")

/**
 * Whose items a feed has: all users', those of whom the caller follows, the caller's own, or those about a group and by its
 * members [I3.2].
 */
export const FeedScope = Schema.Union([
  Schema.Struct({ of: Schema.Literals(["all", "following", "mine"]) }),
  Schema.Struct({ of: Schema.Literal("group"), group_id: Schema.String.check(isPlainUuid) }),
])
export type FeedScope = typeof FeedScope.Type

const plain = ["all", "following", "mine"] as const
const groupPrefix = "group:"

const parseScope = (text: string): FeedScope | null => {
  const of = plain.find((name) => name === text)
  if (of !== undefined) return { of }
  const id = text.startsWith(groupPrefix) ? text.slice(groupPrefix.length) : ""
  return isUuid(id) ? { of: "group", group_id: id.toLowerCase() } : null
}

/** A scope in a query: `all`, `following`, `mine` or `group:<id>`. */
export const FeedScopeText = Schema.String.check(
  Schema.makeFilter(
    (text: string) => parseScope(text) !== null || "must be all, following, mine or group: with the id of a group",
  ),
).pipe(
  Schema.decodeTo(FeedScope, {
    decode: SchemaGetter.transform((text: string): FeedScope => parseScope(text) ?? { of: "all" }),
    encode: SchemaGetter.transform((scope: FeedScope) =>
      scope.of === "group" ? `${groupPrefix}${scope.group_id}` : scope.of,
    ),
  }),
)

import { Schema } from "effect"
import type { Visit } from "../deep-links/index.ts"
import { Text } from "../schema.ts"

/** What a visit to a link has to tell. */
export const visitFields = {
  host: Text,
  slug: Text,
  agent: Text,
  purpose: Schema.NullOr(Text),
  address: Text,
  isHead: Schema.Boolean,
} satisfies { readonly [Name in keyof Visit]: Schema.Codec<Visit[Name]> }

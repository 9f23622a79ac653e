import type { Schemas } from "../../api.ts"

/** Whether a segment is the one that every project has of all its users: lists that offer all users have it already. */
export const isEverybody = ({ is_system, rules }: Schemas["Segment"]): boolean =>
  is_system && Array.isArray(rules["conditions"]) && rules["conditions"].length === 0

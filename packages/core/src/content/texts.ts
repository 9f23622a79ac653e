import type { WrittenText } from "../moderation/content.ts"
import type { ContentItem } from "./item.ts"

/** What is read and judged of an item [I6.1]. */
type Texts = Pick<ContentItem, "title" | "body" | "category" | "tags" | "media_url">

const names = ["title", "body", "category", "tags", "media_url"] as const

/** What rules read of an item, or of a change of one: what it leaves out was read before. */
export const readTexts = ({ title, body, category, tags, media_url }: Partial<Texts>): WrittenText => ({
  texts: [title ?? null, body ?? null, category ?? null, ...(tags ?? [])],
  urls: [media_url ?? null],
})

/** Whether a change names a text. */
export const hasText = (changes: Partial<Texts>): boolean => names.some((name) => changes[name] !== undefined)

/** Whether a change makes a text of the item another one. */
export const changesText = (item: Texts, changes: Partial<Texts>): boolean =>
  names.some((name) => changes[name] !== undefined && JSON.stringify(changes[name]) !== JSON.stringify(item[name]))

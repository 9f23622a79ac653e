/** The place of an item in its library. */
export interface Place {
  readonly sort_order: number
  readonly id: string
}

/** The items to come in the order of a library: the next `count` after a place, from the first again after the last [I1.3]. */
export const pickInOrder = <Item extends Place>(
  after: ReadonlyArray<Item>,
  first: ReadonlyArray<Item>,
  count: number,
): ReadonlyArray<Item> => {
  // Without a place, or after the last item, the order begins anew. `first` has the items from the beginning on.
  const picked = [...after]
  while (first.length > 0 && picked.length < count) picked.push(...first)
  return picked.slice(0, count)
}

/** What is known of a library before an item is drawn from it. */
export interface Drawable {
  /** How many items were not shown in this round. */
  readonly unseen: number
  /** How many items there are. */
  readonly all: number
  /** Whether the item that was shown last is one of them. */
  readonly hasLast: boolean
}

/** From what an item is drawn. */
export interface Draw {
  readonly from: "unseen" | "all" | "all but last"
  readonly count: number
}

/**
 * From what the next item of `random` is drawn [I1.3]: what was not shown in this round, else everything in a new round, but not the
 * item shown last, unless there is no other. Null where there is nothing.
 */
export const planDraw = ({ unseen, all, hasLast }: Drawable): Draw | null => {
  if (unseen > 0) return { from: "unseen", count: unseen }
  if (all === 0) return null
  return hasLast && all > 1 ? { from: "all but last", count: all - 1 } : { from: "all", count: all }
}

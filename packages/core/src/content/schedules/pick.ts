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

/** What may be drawn from a library, each null where there is none. */
export interface Drawn<Item> {
  /** One of those not shown in this round. */
  readonly unseen: Item | null
  /** One of all but the item that was shown last. */
  readonly other: Item | null
  /** The item that was shown last. */
  readonly last: Item | null
}

/**
 * The next item of `random` [I1.3]: what was not shown in this round, else any in a new round, but not the item shown last, unless
 * there is no other. Null where there is nothing.
 */
export const chooseDrawn = <Item>({ unseen, other, last }: Drawn<Item>, round: number) => {
  if (unseen !== null) return { item: unseen, round }
  const item = other ?? last
  return item === null ? null : { item, round: round + 1 }
}

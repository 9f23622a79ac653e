import { eventEffects } from "@hearth/core/subscriptions"
import fc from "fast-check"

/** The customers of stories. The service does not know `ghost` at first. */
export const customers = ["ada", "bob", "cyd", "ghost"] as const
export type Customer = (typeof customers)[number]

/** An event of a story. Its minutes count from its beginning. */
export interface StoryEvent {
  readonly id: number
  readonly type: string
  readonly minute: number
  readonly customer: Customer
  /** Whether the customer is named by the second id first. */
  readonly byAlias: boolean
  /** Whether the customer had not signed in: is named by an id alone that no user has. Other events say that it is the customer's. */
  readonly byDevice: boolean
  readonly receiver: Customer
  readonly subscription: number
  readonly period: number
  readonly entitlements: ReadonlyArray<string> | null
  readonly ends: number | null
  readonly grace: number | null
  readonly price: number
  readonly reason: string
}

/** Events in the order in which they come; some come twice. */
export interface Story {
  readonly events: ReadonlyArray<StoryEvent>
  /** Before which of them `ghost` becomes known. */
  readonly appears: number
}

const anyType = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("INITIAL_PURCHASE", "RENEWAL", "TRANSFER", "CANCELLATION", "EXPIRATION") },
  { weight: 1, arbitrary: fc.constantFrom(...Object.keys(eventEffects), "INVOICE_ISSUANCE") },
)

const anyEvent: fc.Arbitrary<Omit<StoryEvent, "id">> = fc.record({
  type: anyType,
  // Few instants, so that some are equal.
  minute: fc.integer({ min: 0, max: 9 }),
  customer: fc.constantFrom(...customers),
  byAlias: fc.boolean(),
  byDevice: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  receiver: fc.constantFrom(...customers),
  subscription: fc.integer({ min: 0, max: 2 }),
  period: fc.integer({ min: 0, max: 2 }),
  entitlements: fc.option(fc.subarray(["pro", "plus", "max"], { minLength: 1 }), { freq: 8, nil: null }),
  ends: fc.option(fc.constantFrom(-10, 5, 20, 40), { freq: 8, nil: null }),
  grace: fc.option(fc.constantFrom(-5, 30, 60)),
  price: fc.constantFrom(-9.99, 0, 9.99),
  reason: fc.constantFrom("UNSUBSCRIBE", "CUSTOMER_SUPPORT", "BILLING_ERROR"),
})

/** Lives of a few customers with a few subscriptions that they transfer, refund and swap. */
const anyStory: fc.Arbitrary<Story> = fc
  .array(anyEvent, { minLength: 1, maxLength: 16 })
  .chain((events) =>
    fc.record({ events: fc.constant(events.map((event, id) => ({ ...event, id }))), appears: fc.nat(events.length) }),
  )

/** The same story as it may come in: in another order, with repetitions, and known at another time. */
const shuffle = ({ events }: Story): fc.Arbitrary<Story> =>
  fc
    .tuple(fc.shuffledSubarray([...events], { minLength: events.length }), fc.subarray([...events]))
    .chain(([all, again]) =>
      fc.record({
        events: fc.shuffledSubarray([...all, ...again], { minLength: all.length + again.length }),
        appears: fc.nat(all.length + again.length),
      }),
    )

/** A story, and the same as it may come in. */
export const anyStoryTwice: fc.Arbitrary<readonly [Story, Story]> = anyStory.chain((story) =>
  fc.tuple(fc.constant(story), shuffle(story)),
)

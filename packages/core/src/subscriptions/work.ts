import type { FeatureWork } from "../background/work.ts"
import type { CurrenciesDb } from "../currencies/port.ts"
import type { EntitlementsDb } from "../entitlements/port.ts"
import type { Ports } from "../ports/ports.ts"
import { makeSubscriptionExpiry } from "./expire.ts"

/** The background work of subscriptions beside their webhooks: what has ended is made inactive. */
export const makeSubscriptionsWork = (
  ports: Pick<Ports, "clock" | "ids">,
): FeatureWork<CurrenciesDb & EntitlementsDb> => ({ tasks: [makeSubscriptionExpiry(ports)] })

import { CurrencyChangesInput, CurrencyInput, GrantInput, SpendInput } from "../currencies/index.ts"
import { EntitlementGrant } from "../entitlements/index.ts"
import { IdCursor, ListCursor } from "../list-cursor.ts"
import { NewReferralCode, NewReferralProgram, ReferralCodeChanges } from "../referrals/index.ts"
import { NewReward } from "../rewards/index.ts"
import {
  CatalogItemChanges,
  ConsumeRequest,
  ListingChanges,
  NewCatalogItem,
  NewListing,
  NewStore,
  PurchaseRequest,
  StoreChanges,
} from "../stores/index.ts"
import { positionOrStart } from "./positions.ts"
import { anyText, id, key, optionalRecord, options, readOn, record, slice } from "./rules.ts"

/** How the arguments of the use cases of wallets, stores and rewards are read. */
export const economyRules = {
  catalog: {
    create: [id, record(NewCatalogItem)],
    list: [id, slice],
    remove: [id, id],
    update: [id, id, record(CatalogItemChanges)],
  },
  currencies: {
    create: [id, record(CurrencyInput)],
    grant: [id, record(GrantInput), key],
    ledger: [id, id, readOn(IdCursor)],
    list: [id, slice],
    ofUser: [id, id],
    own: [id, id],
    remove: [id, id],
    reverse: [id, id],
    spend: [id, id, anyText("code"), record(SpendInput)],
    transactions: [id, id, slice],
    update: [id, id, record(CurrencyChangesInput)],
    verify: [id],
  },
  entitlements: { grant: [id, id, record(EntitlementGrant)] },
  inventory: { consume: [id, id, id, optionalRecord(ConsumeRequest)], ofUser: [id, id, slice], own: [id, id, slice] },
  purchases: { buy: [id, id, id, id, record(PurchaseRequest)], ofUser: [id, id, slice] },
  referrals: {
    create: [id, optionalRecord(NewReferralCode)],
    list: [id, readOn(ListCursor)],
    own: [id, id],
    program: [id],
    redeem: [id, id, anyText("code")],
    remove: [id, id],
    saveProgram: [id, record(NewReferralProgram)],
    stats: [id, id, options({ limit: 1000, offset: 0 }, [], { cursor: positionOrStart(ListCursor) })],
    update: [id, id, record(ReferralCodeChanges)],
  },
  rewards: { give: [id, id, record(NewReward), key] },
  stores: {
    addListing: [id, id, record(NewListing)],
    create: [id, record(NewStore)],
    list: [id, slice],
    listings: [id, id, slice],
    offers: [id, id, id, slice],
    openStores: [id, id, slice],
    remove: [id, id],
    removeListing: [id, id, id],
    update: [id, id, record(StoreChanges)],
    updateListing: [id, id, id, record(ListingChanges)],
  },
} as const

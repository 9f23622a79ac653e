export { type CatalogQuery, makeCatalog } from "./catalog.ts"
export {
  CatalogItem,
  CatalogItemChanges,
  ItemInUse,
  ItemKeyExists,
  NewCatalogItem,
  Prices,
} from "./catalog-item.ts"
export {
  CurrencyNotAccepted,
  InsufficientQuantity,
  NotAvailable,
  NotEligible,
  PurchaseLimitReached,
} from "./failures.ts"
export { makeInventory } from "./inventory.ts"
export { InventoryItem, InventoryRow, mostOwned } from "./inventory-item.ts"
export type {
  CatalogItems,
  Inventory,
  ListedItem,
  Listings,
  OwnedItems,
  Purchases,
  Stores,
  StoresDb,
} from "./port.ts"
export { Bought, ConsumeRequest, Purchase, PurchaseRequest, PurchaseView } from "./purchase.ts"
export { makePurchases } from "./purchases.ts"
export { inventorySection, purchasesSection } from "./sections.ts"
export { AlreadyListed, Listing, ListingChanges, NewListing, NewStore, Store, StoreChanges } from "./store.ts"
export { makeStorefront } from "./storefront.ts"
export { makeStores } from "./stores.ts"
export { removePrices, takePurchaseBack } from "./take-back.ts"
export { ListingView, OfferView } from "./views.ts"

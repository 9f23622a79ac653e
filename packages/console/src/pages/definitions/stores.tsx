import { useParams } from "@solidjs/router"
import { type Component, Show } from "solid-js"
import { api, type Schemas } from "../../api.ts"
import type { Definition } from "../../parts/editor/definition.ts"
import { DefinitionEditor } from "../../parts/editor/definition-editor.tsx"
import { DefinitionTable } from "../../parts/editor/definition-list.tsx"
import { definitionPage } from "../../parts/editor/definition-page.tsx"
import { flag, instant, line, lines, number } from "../../parts/editor/kinds.tsx"
import { reference } from "../../parts/editor/reference-kind.tsx"
import { amounts } from "../../parts/editor/reward-kind.tsx"
import { Time } from "../../parts/values/time.tsx"

// More are not offered; one that is chosen already stays.
const offered = { limit: 1_000, offset: 0 }

type Listing = Schemas["Listing"] & Partial<Pick<Schemas["ListingView"], "catalog_items">>

/** What a store sells. */
const makeListings = (storeId: string): Definition<Listing, Schemas["NewListing"], Schemas["ListingChanges"]> => ({
  path: `stores/${storeId}/listings`,
  home: `stores/${storeId}`,
  title: "Listings",
  noun: "listing",
  about: "What the store sells, by its place in the list.",
  sayName: (listing) => listing.catalog_items?.name ?? "Listing",
  columns: [
    { header: "Place", cell: ({ row }) => row.original.sort_order },
    { header: "From", cell: ({ row }) => <Time at={row.original.available_from} /> },
    { header: "Until", cell: ({ row }) => <Time at={row.original.available_until} /> },
    { header: "Each user", cell: ({ row }) => row.original.max_purchases_per_user ?? "no limit" },
    { header: "Own prices", cell: ({ row }) => (row.original.override_prices === null ? "no" : "yes") },
  ],
  fields: [
    {
      name: "catalog_item_id",
      label: "Item",
      isFixed: true,
      kind: reference("catalog", "Choose …", async (path) => {
        const { data } = await api.GET("/admin/projects/{projectId}/catalog/items", {
          params: { path, query: offered },
        })
        return data.map(({ id, name, key }) => ({ id, name: `${name} (${key})` }))
      }),
    },
    { name: "sort_order", label: "Place in the list", kind: number, required: true },
    { name: "available_from", label: "From", kind: instant, hint: "Empty: at once." },
    { name: "available_until", label: "Until", kind: instant, hint: "Empty: for good." },
    { name: "max_purchases_per_user", label: "How often each user can buy it", kind: number, hint: "Empty: no limit." },
    { name: "override_prices", label: "Prices here", kind: amounts(true), hint: "None: those of the item." },
  ],
  blank: { sort_order: 0 },
  list: (path, query, signal) =>
    api.GET("/admin/projects/{projectId}/stores/{storeId}/listings", {
      params: { path: { ...path, storeId }, query },
      ...(signal ? { signal } : {}),
    }),
  create: async (path, body) =>
    (
      await api.POST("/admin/projects/{projectId}/stores/{storeId}/listings", {
        params: { path: { ...path, storeId } },
        body,
      })
    ).data,
  change: async (path, listingId, body) =>
    (
      await api.PATCH("/admin/projects/{projectId}/stores/{storeId}/listings/{listingId}", {
        params: { path: { ...path, storeId, listingId } },
        body,
      })
    ).data,
  remove: (path, listingId) =>
    api.DELETE("/admin/projects/{projectId}/stores/{storeId}/listings/{listingId}", {
      params: { path: { ...path, storeId, listingId } },
    }),
  removing: "The store sells it no more. What was bought stays with those who have bought it.",
})

const Listings = (props: { readonly row: Schemas["Store"] }) => (
  <Show when={props.row.id} keyed>
    {(id) => (
      <div class="page">
        <h2>What it sells</h2>
        <DefinitionTable definition={makeListings(id)} withNew />
      </div>
    )}
  </Show>
)

const stores: Definition<Schemas["Store"], Schemas["NewStore"], Schemas["StoreChanges"]> = {
  path: "stores",
  title: "Stores",
  noun: "store",
  about: "A store sells items of the catalog for currencies, to everybody or to the members of a segment.",
  sayName: ({ name }) => name,
  columns: [
    { header: "For", cell: ({ row }) => (row.original.segment_id === null ? "everybody" : "a segment") },
    { header: "Active", cell: ({ row }) => (row.original.is_active ? "yes" : "no") },
  ],
  fields: [
    { name: "name", label: "Name", kind: line, required: true },
    { name: "description", label: "Description", kind: lines },
    {
      name: "segment_id",
      label: "For",
      kind: reference("segments", "everybody", async (path) => {
        const { data } = await api.GET("/admin/projects/{projectId}/segments", { params: { path, query: offered } })
        return data.map(({ id, name }) => ({ id, name }))
      }),
    },
    { name: "is_active", label: "Open", kind: flag, isLater: true },
  ],
  blank: {},
  list: (path, query, signal) =>
    api.GET("/admin/projects/{projectId}/stores", { params: { path, query }, ...(signal ? { signal } : {}) }),
  create: async (path, body) => (await api.POST("/admin/projects/{projectId}/stores", { params: { path }, body })).data,
  change: async (path, storeId, body) =>
    (
      await api.PATCH("/admin/projects/{projectId}/stores/{storeId}", {
        params: { path: { ...path, storeId } },
        body,
      })
    ).data,
  remove: (path, storeId) =>
    api.DELETE("/admin/projects/{projectId}/stores/{storeId}", { params: { path: { ...path, storeId } } }),
  removing: "The store is removed with its listings; what was bought stays.",
  Below: Listings,
}

const Stores = definitionPage(stores)

/** The stores, one of them with what it sells, or one of its listings. */
const Page: Component = () => {
  const params = useParams<{ definitionId?: string; listingId?: string }>()
  return (
    <Show when={params.listingId} fallback={<Stores />}>
      {(id) => <DefinitionEditor definition={makeListings(params.definitionId ?? "")} id={id()} />}
    </Show>
  )
}

export default Page

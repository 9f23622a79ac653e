import { api, type Schemas } from "../../api.ts"
import type { Definition } from "../../parts/editor/definition.ts"
import { definitionPage } from "../../parts/editor/definition-page.tsx"
import { flag, json, line, lines } from "../../parts/editor/kinds.tsx"
import { amounts, reward } from "../../parts/editor/reward-kind.tsx"
import { sayNumber } from "../../parts/values/say-number.ts"

const sayPrices = (prices: Readonly<Record<string, number>>): string =>
  Object.entries(prices)
    .map(([code, amount]) => `${sayNumber(amount)} ${code}`)
    .join(" or ") || "–"

const catalog: Definition<Schemas["CatalogItem"], Schemas["NewCatalogItem"], Schemas["CatalogItemChanges"]> = {
  path: "catalog",
  title: "Catalog",
  noun: "item",
  about: "What users can own. Stores sell items, and rewards give them.",
  sayName: ({ name }) => name,
  columns: [
    { header: "Key", cell: ({ row }) => <code>{row.original.key}</code> },
    { header: "Type", cell: ({ row }) => row.original.item_type ?? "–" },
    { header: "Prices", cell: ({ row }) => sayPrices(row.original.prices) },
    { header: "Active", cell: ({ row }) => (row.original.is_active ? "yes" : "no") },
  ],
  fields: [
    { name: "key", label: "Key", kind: line, required: true, hint: "What the app knows it by." },
    { name: "name", label: "Name", kind: line, required: true },
    { name: "description", label: "Description", kind: lines },
    { name: "item_type", label: "Type", kind: line, hint: "A word of yours: hat, boost." },
    { name: "icon_url", label: "Address of the icon", kind: line },
    {
      name: "prices",
      label: "Prices",
      kind: amounts(false),
      hint: "In each of these currencies it can be bought. Listings may have prices of their own.",
    },
    { name: "contents", label: "Contents", kind: reward(true), hint: "What is given when it is bought: of a bundle." },
    { name: "metadata", label: "Metadata, as JSON", kind: json, hint: "For the app: whatever it needs to show it." },
    { name: "is_active", label: "Active", kind: flag },
  ],
  blank: { is_active: true },
  list: (path, query, signal) =>
    api.GET("/admin/projects/{projectId}/catalog/items", { params: { path, query }, ...(signal ? { signal } : {}) }),
  create: async (path, body) =>
    (await api.POST("/admin/projects/{projectId}/catalog/items", { params: { path }, body })).data,
  change: async (path, itemId, body) =>
    (
      await api.PATCH("/admin/projects/{projectId}/catalog/items/{itemId}", {
        params: { path: { ...path, itemId } },
        body,
      })
    ).data,
  remove: (path, itemId) =>
    api.DELETE("/admin/projects/{projectId}/catalog/items/{itemId}", { params: { path: { ...path, itemId } } }),
  removing:
    "The item is removed with its listings. One that somebody owns cannot be removed; make it inactive instead.",
}

export default definitionPage(catalog)

import "../content.css"
import { api, type Schemas } from "../../../api.ts"
import type { Definition } from "../../../parts/editor/definition.ts"
import { definitionPage } from "../../../parts/editor/definition-page.tsx"
import { json, line, lines } from "../../../parts/editor/kinds.tsx"
import { Time } from "../../../parts/values/time.tsx"
import { LibraryItems } from "./library-items.tsx"

type Library = Schemas["ContentLibrary"] & { readonly item_count?: number }

const libraries: Definition<Library, Schemas["NewContentLibrary"], Schemas["ContentLibraryChanges"]> = {
  path: "libraries",
  title: "Libraries",
  noun: "library",
  about: "A library holds items of one kind: quotes, tips, lessons. Schedules deliver them, and users read them.",
  sayName: ({ name }) => name,
  columns: [
    { header: "Items", cell: ({ row }) => row.original.item_count },
    { header: "Description", cell: ({ row }) => row.original.description },
    { header: "Made", cell: ({ row }) => <Time at={row.original.created_at} /> },
  ],
  fields: [
    { name: "name", label: "Name", kind: line, required: true },
    { name: "description", label: "Description", kind: lines },
    {
      name: "content_schema",
      label: "Schema of its items",
      kind: json,
      hint: "For your own tools: it is kept as it is, and nothing is checked by it.",
    },
  ],
  blank: {},
  list: (path, query, signal) =>
    api.GET("/admin/projects/{projectId}/content/libraries", {
      params: { path, query },
      ...(signal ? { signal } : {}),
    }),
  read: async (path, libraryId, signal) =>
    (
      await api.GET("/admin/projects/{projectId}/content/libraries/{libraryId}", {
        params: { path: { ...path, libraryId } },
        ...(signal ? { signal } : {}),
      })
    ).data,
  create: async (path, body) =>
    (await api.POST("/admin/projects/{projectId}/content/libraries", { params: { path }, body })).data,
  change: async (path, libraryId, body) =>
    (
      await api.PATCH("/admin/projects/{projectId}/content/libraries/{libraryId}", {
        params: { path: { ...path, libraryId } },
        body,
      })
    ).data,
  remove: (path, libraryId) =>
    api.DELETE("/admin/projects/{projectId}/content/libraries/{libraryId}", {
      params: { path: { ...path, libraryId } },
    }),
  removing: "Its items are gone for good, and its schedules stop.",
  Below: (props) => <LibraryItems libraryId={props.row.id} />,
}

export default definitionPage(libraries)

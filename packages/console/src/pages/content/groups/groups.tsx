import "../content.css"
import { api, type Schemas } from "../../../api.ts"
import type { Definition } from "../../../parts/editor/definition.ts"
import { definitionPage } from "../../../parts/editor/definition-page.tsx"
import { flag, json, line, lines, number } from "../../../parts/editor/kinds.tsx"
import { Time } from "../../../parts/values/time.tsx"
import { GroupMembers } from "./group-members.tsx"

type Group = Schemas["Group"] & { readonly member_count?: number }

const groups: Definition<Group, Schemas["NewGroupOfUser"], Schemas["GroupChanges"]> = {
  path: "groups",
  title: "Groups",
  noun: "group",
  about: "Groups of users. Public ones are found by everybody, private ones are joined by invitation.",
  sayName: ({ name }) => name,
  columns: [
    { header: "Members", cell: ({ row }) => row.original.member_count },
    { header: "Public", cell: ({ row }) => (row.original.is_public ? "yes" : "no") },
    { header: "Moderation", cell: ({ row }) => row.original.moderation },
    { header: "Made", cell: ({ row }) => <Time at={row.original.created_at} /> },
  ],
  fields: [
    { name: "name", label: "Name", kind: line, required: true },
    {
      name: "owner_id",
      label: "Owner",
      kind: line,
      required: true,
      isFixed: true,
      hint: "The id of a user. A member is made the owner below.",
    },
    { name: "description", label: "Description", kind: lines },
    { name: "avatar_url", label: "Address of its picture", kind: line },
    { name: "is_public", label: "Public", kind: flag },
    { name: "max_members", label: "Most members", kind: number, required: true },
    { name: "metadata", label: "Metadata", kind: json },
  ],
  blank: { is_public: true, max_members: 100, metadata: {} },
  isLong: true,
  list: (path, query, signal) =>
    api.GET("/admin/projects/{projectId}/groups", { params: { path, query }, ...(signal ? { signal } : {}) }),
  read: async (path, groupId, signal) =>
    (
      await api.GET("/admin/projects/{projectId}/groups/{groupId}", {
        params: { path: { ...path, groupId } },
        ...(signal ? { signal } : {}),
      })
    ).data,
  create: async (path, body) => (await api.POST("/admin/projects/{projectId}/groups", { params: { path }, body })).data,
  change: async (path, groupId, body) =>
    (
      await api.PATCH("/admin/projects/{projectId}/groups/{groupId}", {
        params: { path: { ...path, groupId } },
        body,
      })
    ).data,
  remove: (path, groupId) =>
    api.DELETE("/admin/projects/{projectId}/groups/{groupId}", { params: { path: { ...path, groupId } } }),
  removing: "All its members are out, and they are not told.",
  Below: (props) => <GroupMembers groupId={props.row.id} />,
}

export default definitionPage(groups)

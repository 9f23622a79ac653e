import { useParams } from "@solidjs/router"
import { api, developerId, type Schemas } from "../api.ts"
import { createQuery } from "../parts/create-query.ts"

/** What a member may do. */
export type Role = Schemas["Member"]["role"]

/** The project of the address. */
export const useProject = () => {
  const params = useParams<{ readonly projectId: string }>()
  const path = () => ({ projectId: params.projectId })
  const members = createQuery(() => ({
    queryKey: ["members", params.projectId],
    queryFn: () => api.GET("/admin/projects/{projectId}/members", { params: { path: path() } }),
    staleTime: 60_000,
  }))
  const role = (): Role | null =>
    members.data?.data.find(({ developer_id }) => developer_id === developerId())?.role ?? null
  return {
    id: () => params.projectId,
    /** The parameters of every call about the project. */
    path,
    /** The caller's role, null until it is known. */
    role,
    /** Whether it is known what the caller may do, or why it cannot be. */
    // Not what is pending: each part that is shown asks again for what has failed. Hiding it for that would never end.
    isRoleKnown: () => members.isFetched,
    /** Whether the caller may change anything. Until it is known they may not. */
    mayWrite: () => role() === "owner" || role() === "admin",
    isOwner: () => role() === "owner",
    /** An address within the project. */
    href: (page: string) => `/projects/${params.projectId}/${page}`,
  }
}

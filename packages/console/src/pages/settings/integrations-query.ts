import { api } from "../../api.ts"
import type { ProjectPath } from "../../parts/editor/definition.ts"

export const readIntegrations = async (path: ProjectPath, signal?: AbortSignal) =>
  (await api.GET("/admin/projects/{projectId}/integrations", { params: { path }, ...(signal ? { signal } : {}) })).data

/** The integrations that are set: there are four at most. */
export const queryIntegrations = (path: ProjectPath) => ({
  queryKey: ["integrations", path.projectId],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => readIntegrations(path, signal),
})

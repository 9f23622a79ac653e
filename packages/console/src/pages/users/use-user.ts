import { useParams } from "@solidjs/router"
import { useQueryClient } from "@tanstack/solid-query"
import { api } from "../../api.ts"
import { createQuery } from "../../parts/create-query.ts"
import { useProject } from "../../shell/project.tsx"

/** The user of the address, within the project of the address. */
export const useUser = () => {
  const project = useProject()
  const params = useParams<{ readonly userId: string }>()
  const client = useQueryClient()
  const path = () => ({ ...project.path(), userId: params.userId })
  /** The key of something that was read about the user. */
  const key = (...of: ReadonlyArray<unknown>) => ["user", project.id(), params.userId, ...of]
  return {
    project,
    id: () => params.userId,
    path,
    key,
    /** The user with streaks and entitlements. */
    createUser: () =>
      createQuery(() => ({
        queryKey: key(),
        queryFn: () => api.GET("/admin/projects/{projectId}/users/{userId}", { params: { path: path() } }),
      })),
    /** Reads again what is shown of the user. */
    refresh: async () => {
      await Promise.all([
        client.invalidateQueries({ queryKey: key() }),
        client.invalidateQueries({ queryKey: ["users", project.id()] }),
      ])
    },
    /** The address of an event of the user that happened at an instant or soon before it. */
    hrefOfEvent: (id: string, at: string) => {
      const until = new Date(Date.parse(at) + 1).toISOString()
      return `${project.href(`users/${params.userId}`)}?tab=events&event=${id}&until=${encodeURIComponent(until)}`
    },
    /** The address of this page with another part open. */
    href: (query: string) => `${project.href(`users/${params.userId}`)}?${query}`,
  }
}

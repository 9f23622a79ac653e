import { api } from "../../../api.ts"
import { createQuery } from "../../../parts/create-query.ts"
import { useProject } from "../../../shell/project.tsx"

/** The settings of links: `config` is null until they are set for the first time. */
export const createLinkConfig = () => {
  const project = useProject()
  return createQuery(() => ({
    queryKey: ["link-config", project.id()],
    queryFn: async () => {
      const { data } = await api.GET("/admin/projects/{projectId}/deep-links/settings", {
        params: { path: project.path() },
      })
      return data
    },
  }))
}

/** What is shared of a link: on the project's own domain, where it has one. */
export const linkAddress = (projectId: string, slug: string, domain: string | null | undefined): string =>
  domain ? `https://${domain}/l/${slug}` : `${location.origin}/l/${projectId}/${slug}`

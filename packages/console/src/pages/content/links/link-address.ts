import { createQuery } from "@tanstack/solid-query"
import { api, isMissing, type Schemas } from "../../../api.ts"
import { useProject } from "../../../shell/project.tsx"

/** The settings of links: null until they are set for the first time. */
export const createLinkConfig = () => {
  const project = useProject()
  return createQuery(() => ({
    queryKey: ["link-config", project.id()],
    queryFn: async (): Promise<Schemas["DeepLinkConfig"] | null> => {
      try {
        const { data } = await api.GET("/admin/projects/{projectId}/deep-links/config", {
          params: { path: project.path() },
        })
        return data
      } catch (error) {
        if (isMissing(error)) return null
        throw error
      }
    },
  }))
}

/** What is shared of a link: on the project's own domain, where it has one. */
export const linkAddress = (projectId: string, slug: string, domain: string | null | undefined): string =>
  domain ? `https://${domain}/l/${slug}` : `${location.origin}/l/${projectId}/${slug}`

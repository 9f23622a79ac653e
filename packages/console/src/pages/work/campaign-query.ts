import { api, type Schemas } from "../../api.ts"
import { createQuery } from "../../parts/create-query.ts"
import { useProject } from "../../shell/project.tsx"

// How often a campaign is read while it is sent, and while it waits for its time.
const sendingMillis = 2_000
const waitingMillis = 15_000

const pauseFor = (status: Schemas["PushCampaign"]["status"] | undefined): number | false => {
  if (status === "sending") return sendingMillis
  return status === "scheduled" ? waitingMillis : false
}

/** A campaign with its figures; followed while anything happens to it, where that is asked for. */
export const createCampaign = (id: () => string, { isFollowed }: { readonly isFollowed: boolean }) => {
  const project = useProject()
  return createQuery(() => ({
    queryKey: ["campaigns", project.id(), "one", id()],
    queryFn: () =>
      api.GET("/admin/projects/{projectId}/push/campaigns/{campaignId}", {
        params: { path: { ...project.path(), campaignId: id() } },
      }),
    refetchOnWindowFocus: isFollowed,
    refetchInterval: ({ state }) => (isFollowed ? pauseFor(state.data?.data.status) : false),
  }))
}

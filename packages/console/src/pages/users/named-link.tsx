import { A } from "@solidjs/router"
import { api } from "../../api.ts"
import { createQuery } from "../../parts/create-query.ts"
import { useProject } from "../../shell/project.tsx"

// A project has tens of these. One that is not among them is shown by its id.
const query = { limit: 200 }

interface Named {
  readonly id: string
  readonly name: string
}

type Read = (path: { readonly projectId: string }) => Promise<{ readonly data: ReadonlyArray<Named> }>

const readers: Readonly<Record<"achievements" | "leaderboards" | "groups" | "onboarding", Read>> = {
  achievements: (path) => api.GET("/admin/projects/{projectId}/achievements", { params: { path, query } }),
  leaderboards: (path) => api.GET("/admin/projects/{projectId}/leaderboards", { params: { path, query } }),
  groups: (path) => api.GET("/admin/projects/{projectId}/groups", { params: { path, query } }),
  onboarding: (path) => api.GET("/admin/projects/{projectId}/onboarding/flows", { params: { path, query } }),
}

/** A definition that a record names by its id: its name, leading to its page. */
export const NamedLink = (props: { readonly folder: keyof typeof readers; readonly id: unknown }) => {
  const project = useProject()
  const names = createQuery(() => ({
    queryKey: [props.folder, project.id(), "names"],
    queryFn: () => readers[props.folder](project.path()),
    staleTime: 60_000,
  }))
  const name = () => (names.isSuccess ? names.data.data.find(({ id }) => id === props.id)?.name : undefined)
  return <A href={project.href(`${props.folder}/${String(props.id)}`)}>{name() ?? String(props.id)}</A>
}

import { useNavigate } from "@solidjs/router"
import { api } from "../api.ts"
import { createQuery } from "../parts/create-query.ts"
import { Choices } from "./choices.tsx"
import { useProject } from "./project.tsx"

const most = 50
const all = "all"

/** The name of the project, which opens a menu of the others. */
export const ProjectSwitch = (props: { readonly name: string }) => {
  const project = useProject()
  const navigate = useNavigate()
  const projects = createQuery(() => ({
    queryKey: ["projects", "switch"],
    queryFn: () => api.GET("/admin/projects", { params: { query: { limit: most } } }),
    staleTime: 60_000,
  }))
  const choices = () => [
    ...(projects.data?.data ?? [])
      .filter(({ id }) => id !== project.id())
      .map(({ id, name }) => ({ value: id, label: name })),
    { value: all, label: "All projects" },
  ]
  return (
    <Choices
      label={`Project ${props.name}: choose another`}
      choices={choices()}
      choose={(id) => navigate(id === all ? "/" : `/projects/${id}/overview`)}
    >
      <span class="project-name">{props.name}</span>
    </Choices>
  )
}

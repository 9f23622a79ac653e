import { A } from "@solidjs/router"
import { useProject } from "../shell/project.tsx"

/** A user by name, leading to the page about them. */
export const UserLink = (props: { readonly id: string; readonly name?: string | null }) => {
  const project = useProject()
  return <A href={project.href(`users/${props.id}`)}>{props.name || props.id}</A>
}

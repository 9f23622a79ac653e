import { A } from "@solidjs/router"
import { useProject } from "../shell/project.tsx"

/** A user by name, leading to the page about them; by the end of the id where no name is known, for ids begin alike. */
export const UserLink = (props: { readonly id: string; readonly name?: string | null }) => {
  const project = useProject()
  return (
    <A href={project.href(`users/${props.id}`)} title={props.name ? undefined : props.id}>
      {props.name || `…${props.id.slice(-8)}`}
    </A>
  )
}

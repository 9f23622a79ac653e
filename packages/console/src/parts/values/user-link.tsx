import { A } from "@solidjs/router"
import { useProject } from "../../shell/project.tsx"
import { createUserName } from "./user-names.ts"

/**
 * A user by name, with the id on hover, leading to the page about them. The name is looked up where it is not given; where there is
 * none, the end of the id tells one from another, for ids begin alike.
 */
export const UserLink = (props: { readonly id: string; readonly name?: string | null }) => {
  const project = useProject()
  const found = createUserName(project.id, () => (props.name ? null : props.id))
  const end = () => `…${props.id.slice(-8)}`
  return (
    <A href={project.href(`users/${props.id}`)} title={props.id}>
      {props.name || found() || end()}
    </A>
  )
}

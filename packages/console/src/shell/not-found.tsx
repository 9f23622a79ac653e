import { A, useLocation, useParams } from "@solidjs/router"
import { ErrorNote } from "../parts/error-note.tsx"
import { Page } from "../parts/page.tsx"

/** An address that leads nowhere. */
export const NotFound = () => {
  const location = useLocation()
  const params = useParams<{ readonly projectId?: string }>()
  return (
    <Page title="There is no such page">
      <p>
        Nothing is at <code>{location.pathname}</code>.
      </p>
      <p>
        <A href={params.projectId === undefined ? "/" : `/projects/${params.projectId}/overview`}>
          {params.projectId === undefined ? "To the projects" : "To the overview of this project"}
        </A>
      </p>
    </Page>
  )
}

/** The address of a project that is gone, or that is not one of the caller's. */
export const NoProject = (props: { readonly error: unknown }) => (
  <Page title="There is no such project">
    <ErrorNote error={props.error} />
    <p>
      <A href="/">To the projects</A>
    </p>
  </Page>
)

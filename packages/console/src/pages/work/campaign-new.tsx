import { A } from "@solidjs/router"
import { Show } from "solid-js"
import { Page } from "../../parts/page.tsx"
import { useProject } from "../../shell/project.tsx"
import { Composer } from "./composer.tsx"

/** A new campaign. */
const NewCampaign = () => {
  const project = useProject()
  return (
    <Page title="New campaign">
      <p>
        <A href={project.href("campaigns")}>All campaigns</A>
      </p>
      <Show when={project.mayWrite()} fallback={<p class="quiet">Only owners and admins write campaigns.</p>}>
        <Composer campaign={null} />
      </Show>
    </Page>
  )
}

export default NewCampaign

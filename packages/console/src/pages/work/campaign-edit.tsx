import { A, useParams } from "@solidjs/router"
import { Show } from "solid-js"
import { Loaded } from "../../parts/loaded.tsx"
import { Page } from "../../parts/page.tsx"
import { useProject } from "../../shell/project.tsx"
import { createCampaign } from "./campaign-query.ts"
import { Composer } from "./composer.tsx"

/** Changes a campaign that was not sent. */
const EditCampaign = () => {
  const project = useProject()
  const params = useParams<{ readonly campaignId: string }>()
  const campaign = createCampaign(() => params.campaignId, { isFollowed: false })
  return (
    <Page title="Edit campaign">
      <p>
        <A href={project.href(`campaigns/${params.campaignId}`)}>Back to the campaign</A>
      </p>
      <Loaded of={campaign}>
        {(found) => (
          <Show when={project.mayWrite()} fallback={<p class="quiet">Only owners and admins write campaigns.</p>}>
            <Composer campaign={found().data} />
          </Show>
        )}
      </Loaded>
    </Page>
  )
}

export default EditCampaign

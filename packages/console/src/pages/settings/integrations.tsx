import { A } from "@solidjs/router"
import { For } from "solid-js"
import { createQuery } from "../../parts/create-query.ts"
import { Loaded } from "../../parts/loaded.tsx"
import { Page } from "../../parts/page.tsx"
import { useProject } from "../../shell/project.tsx"
import { queryIntegrations } from "./integrations-query.ts"
import { providers, stateOf } from "./providers.tsx"

/** With whom the project is connected. */
const Integrations = () => {
  const project = useProject()
  const found = createQuery(() => queryIntegrations(project.path()))
  return (
    <Page title="Integrations">
      <p class="quiet">With whom the project is connected. Secrets are encrypted, and never shown again.</p>
      <Loaded of={found}>
        {(set) => (
          <ul class="cards">
            <For each={providers}>
              {({ id, title, about }) => (
                <li>
                  <div class="row">
                    <A href={project.href(`integrations/${id}`)}>{title}</A>
                    <span class="tag">{stateOf(set().find(({ provider }) => provider === id))}</span>
                  </div>
                  <p class="quiet small">{about}</p>
                </li>
              )}
            </For>
          </ul>
        )}
      </Loaded>
    </Page>
  )
}

export default Integrations

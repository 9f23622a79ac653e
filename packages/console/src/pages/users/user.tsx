import { A } from "@solidjs/router"
import { lazy, Show } from "solid-js"
import { isMissing } from "../../api.ts"
import { Download } from "../../parts/download.tsx"
import { Loaded } from "../../parts/loaded.tsx"
import { Page } from "../../parts/page.tsx"
import { PageTabs } from "../../parts/page-tabs.tsx"
import { Disable } from "./actions/disable.tsx"
import { EditProfile } from "./actions/edit-profile.tsx"
import { Push } from "./actions/push.tsx"
import { Reward } from "./actions/reward.tsx"
import { useUser } from "./use-user.ts"
import "./users.css"

const tabs = [
  { id: "streaks", title: "Streaks", content: lazy(() => import("./sections/streaks.tsx")) },
  { id: "segments", title: "Segments", content: lazy(() => import("./sections/segments.tsx")) },
  { id: "profile", title: "Profile", content: lazy(() => import("./sections/profile.tsx")) },
  { id: "events", title: "Events", content: lazy(() => import("./sections/events.tsx")) },
  { id: "access", title: "Access", content: lazy(() => import("./sections/access.tsx")) },
  { id: "progress", title: "Progress", content: lazy(() => import("./sections/progress.tsx")) },
  { id: "wallets", title: "Wallets", content: lazy(() => import("./sections/wallets.tsx")) },
  { id: "items", title: "Items", content: lazy(() => import("./sections/items.tsx")) },
  { id: "devices", title: "Devices", content: lazy(() => import("./sections/devices.tsx")) },
  { id: "social", title: "Social", content: lazy(() => import("./sections/social.tsx")) },
]

/** Everything about one user: who they are, what may be done, and the rest in parts. */
const User = () => {
  const user = useUser()
  const found = user.createUser()
  const named = () => found.data?.data
  return (
    <Page
      title={named()?.display_name || named()?.email || "User"}
      actions={
        <Show when={user.project.mayWrite() && named()}>
          {(of) => (
            <>
              <Reward />
              <Push />
              <EditProfile of={of()} />
              <Disable of={of()} />
            </>
          )}
        </Show>
      }
    >
      <Show
        when={!isMissing(found.error)}
        fallback={
          <p class="empty">
            There is no such user in this project. <A href={user.project.href("users")}>To the users</A>
          </p>
        }
      >
        <Loaded of={found}>
          {(shown) => (
            <>
              <p class="quiet">
                {shown().data.email ?? "no email"} · <code>{user.id()}</code>
                <Show when={shown().data.is_disabled}>
                  {" "}
                  <span class="tag broken">disabled</span>
                </Show>
              </p>
              <PageTabs label="About this user" tabs={tabs} />
              <Download
                label="Export everything about this user"
                name={`user-${user.id()}-export.ndjson`}
                path={() => `/admin/projects/${user.project.id()}/users/${user.id()}/export`}
              />
            </>
          )}
        </Loaded>
      </Show>
    </Page>
  )
}

export default User

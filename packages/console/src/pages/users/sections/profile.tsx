import { For, Show } from "solid-js"
import { Loaded } from "../../../parts/loaded.tsx"
import { Facts } from "../../../parts/values/facts.tsx"
import { JsonView } from "../../../parts/values/json-view.tsx"
import { Time } from "../../../parts/values/time.tsx"
import { sayWord } from "../../../parts/values/words.ts"
import { Records, Value } from "../records.tsx"
import { useUser } from "../use-user.ts"

/** Who the user is: profile, properties, and how they sign in. */
const Profile = () => {
  const found = useUser().createUser()
  return (
    <Loaded of={found}>
      {(user) => {
        const of = () => user().data
        const properties = () => Object.entries(of().properties)
        return (
          <>
            <Facts
              of={[
                ["Name", () => of().display_name],
                ["Email", () => <Value of={of().email} />],
                ["Email verified", () => <Time at={of().email_verified_at} />],
                ["User id", () => <code>{of().id}</code>],
                ["External id", () => <Value of={of().external_id} />],
                ["Anonymous id", () => <code>{of().anonymous_id}</code>],
                ["Time zone", () => of().timezone ?? "UTC, as none is set"],
                ["First seen", () => <Time at={of().first_seen_at} />],
                ["Last seen", () => <Time at={of().last_seen_at} />],
              ]}
            />
            <h2>Properties</h2>
            <Show when={properties().length > 0} fallback={<p class="quiet">The app has set none.</p>}>
              <Facts of={properties().map(([name, value]) => [name, () => <Value of={value} />] as const)} />
              <details>
                <summary>As JSON</summary>
                <JsonView value={of().properties} label="Properties as JSON" />
              </details>
            </Show>
            <h2>Identities</h2>
            <Show
              when={of().auth_providers.length > 0}
              fallback={<p class="quiet">An anonymous user, who has no way to sign in again.</p>}
            >
              <ul>
                <For each={of().auth_providers}>
                  {({ provider, provider_id }) => (
                    <li>
                      {sayWord(provider)}: <code>{provider_id}</code>
                    </li>
                  )}
                </For>
              </ul>
            </Show>
            <Records
              section="account_links"
              title="Accounts that came together"
              fields={["provider", "created_at"]}
              empty="No other account became this one."
            />
          </>
        )
      }}
    </Loaded>
  )
}

export default Profile

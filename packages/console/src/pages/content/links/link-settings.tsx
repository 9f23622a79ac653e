import { useQueryClient } from "@tanstack/solid-query"
import { For, Show } from "solid-js"
import { api, type Schemas } from "../../../api.ts"
import { Confirm } from "../../../parts/dialogs/confirm.tsx"
import { Field, TextField } from "../../../parts/field.tsx"
import { Loaded } from "../../../parts/loaded.tsx"
import { Facts } from "../../../parts/values/facts.tsx"
import { useProject } from "../../../shell/project.tsx"
import { createLinkConfig } from "./link-address.ts"

type Config = Schemas["DeepLinkConfig"]

const fields = [
  [
    "universal_link_domain",
    "Own domain",
    "Links are served there as /l/{slug}, and so are the files that iOS and Android ask it for.",
  ],
  ["fallback_url", "Fallback", "Where a link leads that is not there, or that points nowhere any more."],
  ["url_scheme", "URL scheme of the app", "Such as myapp, so that links may lead to myapp://…"],
  ["ios_bundle_id", "iOS bundle id", "Such as com.example.app."],
  ["ios_team_id", "iOS team id", "Ten letters and digits, from Apple's developer account."],
  ["android_package_name", "Android package", "Such as com.example.app."],
] as const satisfies ReadonlyArray<readonly [keyof Config, string, string]>

const prints = "android_sha256_fingerprints"

const splitLines = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")

/** What differs from what was shown: others stay as they are, whoever has changed them meanwhile. */
const changesIn = (form: FormData, shown: Config | null): Schemas["DeepLinkConfigChanges"] => {
  const changes: Record<string, string | ReadonlyArray<string> | null> = {}
  for (const [name] of fields) {
    const typed = String(form.get(name) ?? "").trim() || null
    if (typed !== (shown?.[name] ?? null)) changes[name] = typed
  }
  const typed = splitLines(String(form.get(prints) ?? ""))
  if (typed.join() !== (shown?.[prints] ?? []).join()) changes[prints] = typed.length === 0 ? null : typed
  return changes
}

/** Where links of the project are served, and which apps they open. */
export const LinkSettings = () => {
  const project = useProject()
  const client = useQueryClient()
  const config = createLinkConfig()
  const save = async (form: FormData, shown: Config | null) => {
    await api.PUT("/admin/projects/{projectId}/deep-links/config", {
      params: { path: project.path() },
      body: changesIn(form, shown),
    })
    await client.invalidateQueries({ queryKey: ["link-config", project.id()] })
  }
  return (
    <section class="page" aria-label="Settings of links">
      <h2>Settings of links</h2>
      <Loaded of={config}>
        {(found) => (
          <>
            <Facts
              of={[
                ...fields.map(([name, label]) => [label, () => found().config?.[name] ?? "–"] as const),
                ["Android certificates", () => found().config?.[prints]?.length ?? 0],
              ]}
            />
            <Show when={project.mayWrite()}>
              <div>
                <Confirm
                  action="Change settings"
                  says="Links that are out already follow the new settings within seconds. An empty field clears its setting."
                  done="The settings are saved."
                  run={(form) => save(form, found().config)}
                >
                  <For each={fields}>
                    {([name, label, hint]) => (
                      <Field name={name} label={label} hint={hint} value={found().config?.[name] ?? ""} />
                    )}
                  </For>
                  <TextField
                    name={prints}
                    label="Android certificates"
                    hint="SHA-256 fingerprints, one a line."
                    value={(found().config?.[prints] ?? []).join("\n")}
                  />
                </Confirm>
              </div>
            </Show>
          </>
        )}
      </Loaded>
    </section>
  )
}

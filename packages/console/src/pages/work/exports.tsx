import "./work.css"
import { useSearchParams } from "@solidjs/router"
import { createSignal, type ParentProps, Show } from "solid-js"
import { Download } from "../../parts/download.tsx"
import { ChoiceField, Field } from "../../parts/field.tsx"
import { Page } from "../../parts/page.tsx"
import { useProject } from "../../shell/project.tsx"
import { SegmentField } from "./segment-field.tsx"

const formats = ["csv", "ndjson"] as const
type Format = (typeof formats)[number]

const Section = (props: ParentProps<{ readonly title: string; readonly says: string }>) => (
  <section class="panel page export" aria-label={props.title}>
    <h2>{props.title}</h2>
    <p class="quiet">{props.says}</p>
    {props.children}
  </section>
)

const FormatField = (props: { readonly value: Format; readonly onChange: (format: Format) => void }) => (
  <ChoiceField
    label="Format"
    required
    choices={formats}
    value={props.value}
    onChange={(event) => props.onChange(formats.find((one) => one === event.currentTarget.value) ?? "csv")}
  />
)

const SinceField = (props: { readonly label: string; readonly onChange: (since: string | undefined) => void }) => (
  <Field
    label={props.label}
    type="datetime-local"
    onChange={({ currentTarget: { value } }) => props.onChange(value ? new Date(value).toISOString() : undefined)}
  />
)

/** An address with those parameters that are given. */
const makeAddress = (path: string, query: Readonly<Record<string, string | undefined>>): string => {
  const given = Object.entries(query).flatMap(([name, value]) => (value ? [[name, value] as [string, string]] : []))
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`
}

const Users = () => {
  const project = useProject()
  const [format, setFormat] = createSignal<Format>("csv")
  const [since, setSince] = createSignal<string>()
  const [segment, setSegment] = createSignal("")
  return (
    <Section title="Users" says="A line per user: ids, dates, properties, platforms.">
      <FormatField value={format()} onChange={setFormat} />
      <SinceField label="Created at or after" onChange={setSince} />
      <SegmentField label="Members of" value={segment()} onChange={setSegment} />
      <Download
        label="Export users"
        name={`users.${format()}`}
        path={() =>
          makeAddress(`/admin/projects/${project.id()}/users/export`, {
            format: format(),
            since: since(),
            segment_id: segment(),
          })
        }
      />
    </Section>
  )
}

const Reviews = () => {
  const project = useProject()
  const [format, setFormat] = createSignal<Format>("csv")
  const [since, setSince] = createSignal<string>()
  const [least, setLeast] = createSignal("1")
  const [most, setMost] = createSignal("5")
  return (
    <Section title="Reviews" says="A line per review with rating, text and author.">
      <FormatField value={format()} onChange={setFormat} />
      <SinceField label="Created at or after" onChange={setSince} />
      <ChoiceField
        label="Rating from"
        required
        choices={["1", "2", "3", "4", "5"]}
        value={least()}
        onChange={(event) => setLeast(event.currentTarget.value)}
      />
      <ChoiceField
        label="Rating to"
        required
        choices={["1", "2", "3", "4", "5"]}
        value={most()}
        onChange={(event) => setMost(event.currentTarget.value)}
      />
      <Download
        label="Export reviews"
        name={`reviews.${format()}`}
        path={() =>
          makeAddress(`/admin/projects/${project.id()}/reviews/export`, {
            format: format(),
            since: since(),
            rating_min: least(),
            rating_max: most(),
          })
        }
      />
    </Section>
  )
}

const OneUser = () => {
  const project = useProject()
  const [search] = useSearchParams<{ user?: string }>()
  const [user, setUser] = createSignal(search.user ?? "")
  const [format, setFormat] = createSignal<Format>("csv")
  const [since, setSince] = createSignal<string>()
  const [name, setName] = createSignal("")
  const base = () => `/admin/projects/${project.id()}/users/${encodeURIComponent(user())}`
  return (
    <Section title="One user" says="Their events, or the bundle: all that is stored about them.">
      <Field
        label="User"
        required
        hint="The id of the user."
        value={user()}
        onInput={(event) => setUser(event.currentTarget.value.trim())}
      />
      <Show
        when={user() !== ""}
        fallback={<p class="quiet">With the id of a user, this exports their events or their bundle.</p>}
      >
        <FormatField value={format()} onChange={setFormat} />
        <SinceField label="Occurred at or after" onChange={setSince} />
        <Field label="Event" value={name()} onInput={(event) => setName(event.currentTarget.value)} />
        <Download
          label="Export events"
          name={`events-${user()}.${format()}`}
          path={() => makeAddress(`${base()}/events/export`, { format: format(), since: since(), event_name: name() })}
        />
        <Download label="Export bundle" name={`user-${user()}.json`} path={() => `${base()}/export`} />
      </Show>
    </Section>
  )
}

/** Files of what is stored, written while they arrive. */
const Exports = () => (
  <Page title="Exports">
    <Users />
    <OneUser />
    <Reviews />
  </Page>
)

export default Exports

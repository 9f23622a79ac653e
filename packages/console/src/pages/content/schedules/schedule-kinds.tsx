import { createUniqueId, For } from "solid-js"
import { api, type Schemas } from "../../../api.ts"
import { createQuery } from "../../../parts/create-query.ts"
import { type FieldKind, sayFault } from "../../../parts/editor/field-kind.ts"
import { ChoiceField, Field, FlagField } from "../../../parts/field.tsx"
import { useProject } from "../../../shell/project.tsx"

// As many as the service lists at once: more of them are chosen from nowhere.
const most = 1_000

const createLibraries = () => {
  const project = useProject()
  const found = createQuery(() => ({
    queryKey: ["libraries", project.id(), "choices"],
    queryFn: () =>
      api.GET("/admin/projects/{projectId}/content/libraries", {
        params: { path: project.path(), query: { limit: most } },
      }),
  }))
  return () => found.data?.data
}

const LibraryName = (props: { readonly id: string }) => {
  const libraries = createLibraries()
  return <>{libraries()?.find(({ id }) => id === props.id)?.name ?? props.id}</>
}

/** A library, chosen by name. */
export const library: FieldKind = {
  toInput: (value) => value ?? "",
  toValue: (input) => (input === "" ? null : input),
  show: (value) => <LibraryName id={String(value)} />,
  Control: (props) => {
    const libraries = createLibraries()
    const choices = () => [
      { value: "", name: "Choose a library" },
      ...(libraries() ?? []).map(({ id, name }) => ({ value: id, name })),
    ]
    return (
      <ChoiceField
        label={props.label}
        required={props.required === true}
        hint={libraries()?.length === 0 ? "There is no library yet: a schedule delivers the items of one." : props.hint}
        fault={sayFault(props.issues)}
        choices={choices()}
        value={String(props.input)}
        onChange={(event) => props.onInput(event.currentTarget.value)}
      />
    )
  },
}

type Config = Partial<Schemas["ScheduleConfig"]>

const readConfig = (value: unknown): Config => (typeof value === "object" && value !== null ? value : {})

const zones = Intl.supportedValuesOf("timeZone")

/** The cron of a schedule with its time zone, and what it picks from. */
export const scheduleConfig: FieldKind = {
  toInput: (value) => readConfig(value),
  toValue: (input) => {
    const { cron = "", timezone = "", include_authored } = readConfig(input)
    return {
      ...(cron.trim() === "" ? {} : { cron: cron.trim() }),
      ...(timezone.trim() === "" ? {} : { timezone: timezone.trim() }),
      ...(include_authored === undefined ? {} : { include_authored }),
    }
  },
  show: (value) => {
    const { cron, timezone, include_authored } = readConfig(value)
    return (
      <>
        <code>{cron}</code> in {timezone}
        {include_authored === true ? ", with items of users" : ""}
      </>
    )
  },
  Control: (props) => {
    const list = createUniqueId()
    const config = () => readConfig(props.input)
    const set = (changes: Config) => props.onInput({ ...config(), ...changes })
    const faultIn = (name: string) =>
      sayFault(props.issues.filter(({ path }) => path === name).map(({ message }) => ({ path: "", message })))
    return (
      <fieldset>
        <legend>{props.label}</legend>
        <Field
          label="Cron"
          hint="Minute, hour, day of the month, month, day of the week: 0 9 * * MON. Left out, it is that of the choice above."
          fault={faultIn("cron")}
          spellcheck={false}
          value={config().cron ?? ""}
          onInput={(event) => set({ cron: event.currentTarget.value })}
        />
        <Field
          label="Time zone"
          hint="Its IANA name; UTC where left out."
          fault={faultIn("timezone")}
          list={list}
          value={config().timezone ?? ""}
          onInput={(event) => set({ timezone: event.currentTarget.value })}
        />
        <datalist id={list}>
          <For each={zones}>{(zone) => <option value={zone} />}</For>
        </datalist>
        <FlagField
          label="Also items that users have written"
          fault={faultIn("include_authored")}
          checked={config().include_authored === true}
          onChange={(event) => set({ include_authored: event.currentTarget.checked })}
        />
      </fieldset>
    )
  },
}

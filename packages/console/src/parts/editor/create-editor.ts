import { batch, createMemo, createSignal } from "solid-js"
import { unwrap } from "solid-js/store"
import { isMissing } from "../../api.ts"
import type { FieldDescription, FieldIssue } from "./field-kind.ts"
import { type Conflict, isChanged, mergeOver, toInputs, toValues, type Values } from "./merge.ts"
import { readIssues } from "./read-issues.ts"

/** What an editor edits, and how it is read and written. */
export interface EditorOptions<Row extends object> {
  readonly fields: ReadonlyArray<FieldDescription>
  /** The record when the editor is opened; null for a new one. */
  readonly row: Row | null
  /** What a new one begins with. */
  readonly blank: Values
  /** Reads the record again. */
  readonly read: (row: Row) => Promise<Row>
  readonly create: (values: Values) => Promise<Row>
  /** Writes what has changed; `all` has the other fields too, for what is only written as a whole. */
  readonly change: (row: Row, changes: Values, all: Values) => Promise<Row>
}

/** What became of a save: null where there is something to be looked at first. */
type Saved<Row> = Row | null

/** What a query has read is changed in its place when it reads again: the form keeps its own. */
const copy = <Row>(row: Row): Row => structuredClone(unwrap(row))

const toRecord = (row: object): Values => row as Values

/**
 * The state of a form: what was typed, what of it has changed, what is wrong with it, and what somebody else has changed
 * meanwhile. Nothing that was typed is lost but by `discard`.
 */
export const createEditor = <Row extends object>(options: EditorOptions<Row>) => {
  const start = () => (options.row === null ? options.blank : toRecord(options.row))
  const [base, setBase] = createSignal<Row | null>(copy(options.row))
  const [inputs, setInputs] = createSignal<Values>(toInputs(options.fields, start()))
  const [conflicts, setConflicts] = createSignal<ReadonlyArray<Conflict>>([])
  const [issues, setIssues] = createSignal<ReadonlyArray<FieldIssue>>([])
  const [error, setError] = createSignal<unknown>(null)
  const [isRemoved, setIsRemoved] = createSignal(false)
  const [isBusy, setIsBusy] = createSignal(false)

  const fields = createMemo(() => options.fields.filter((field) => (base() === null ? field.isLater !== true : true)))
  const editable = createMemo(() => fields().filter((field) => base() === null || field.isFixed !== true))
  const record = () => {
    const row = base()
    return row === null ? options.blank : toRecord(row)
  }
  const changed = createMemo(() => editable().filter((field) => isChanged(field, inputs(), record())))

  /** Takes a record of the service. What was typed since `sent` stays. */
  const accept = (row: Row, sent: Values) =>
    batch(() => {
      const fresh = toInputs(options.fields, toRecord(row))
      const now = inputs()
      setBase(() => copy(row))
      setInputs(
        Object.fromEntries(
          Object.keys(fresh).map((name) => [name, now[name] === sent[name] ? fresh[name] : now[name]]),
        ),
      )
      setConflicts([])
      setIssues([])
    })

  const make = async (values: Values, sent: Values): Promise<Saved<Row>> => {
    const given = Object.entries(values).filter(([, value]) => value !== null && value !== undefined)
    const row = await options.create(Object.fromEntries(given))
    batch(() => {
      accept(row, sent)
      setIsRemoved(false)
    })
    return row
  }

  const change = async (before: Row): Promise<Saved<Row>> => {
    const now = await options.read(before)
    const merged = mergeOver(editable(), toRecord(before), inputs(), toRecord(now))
    batch(() => {
      setBase(() => copy(now))
      setInputs(merged.inputs)
      setConflicts(merged.conflicts)
    })
    if (merged.conflicts.length > 0) return null
    const { values } = toValues(editable(), merged.inputs)
    const names = changed().map(({ name }) => name)
    if (names.length === 0) return now
    const row = await options.change(now, Object.fromEntries(names.map((name) => [name, values[name]])), values)
    accept(row, merged.inputs)
    return row
  }

  const save = async (): Promise<Saved<Row>> => {
    const sent = inputs()
    const { values, issues: wrong } = toValues(editable(), sent)
    batch(() => {
      setError(null)
      setIssues(wrong)
    })
    if (wrong.length > 0) return null
    setIsBusy(true)
    try {
      const before = base()
      return await (before === null ? make(values, sent) : change(before))
    } catch (problem) {
      batch(() => {
        if (base() !== null && isMissing(problem)) setIsRemoved(true)
        else setError(problem)
        setIssues(readIssues(problem))
      })
      return null
    } finally {
      setIsBusy(false)
    }
  }

  return {
    fields,
    isNew: () => base() === null,
    isFixed: (field: FieldDescription) => base() !== null && field.isFixed === true,
    record,
    inputs,
    setInput: (name: string, input: unknown) => void setInputs((before) => ({ ...before, [name]: input })),
    /** What is wrong with a field, with paths from the field on. */
    findIssues: (name: string): ReadonlyArray<FieldIssue> =>
      issues()
        .filter(({ path }) => path === name || path.startsWith(`${name}.`))
        .map(({ path, message }) => ({ path: path.slice(name.length + 1), message })),
    error,
    isBusy,
    isRemoved,
    isDirty: () => changed().length > 0,
    conflicts,
    /** Ends a conflict: what was typed stays, or theirs is taken. */
    choose: ({ field, theirs }: Conflict, whose: "mine" | "theirs") =>
      batch(() => {
        if (whose === "theirs") setInputs((before) => ({ ...before, [field.name]: field.kind.toInput(theirs) }))
        setConflicts((before) => before.filter((conflict) => conflict.field !== field))
      }),
    save,
    /** Gives up what was typed. */
    discard: () =>
      batch(() => {
        setInputs(toInputs(options.fields, record()))
        setConflicts([])
        setIssues([])
        setError(null)
      }),
    /** Takes what was read anew, unless something was typed. */
    refresh: (row: Row) => {
      if (base() !== null && changed().length === 0 && !isBusy()) accept(row, inputs())
    },
    /** What was removed meanwhile is to be made again, with what was typed. */
    makeAnew: () =>
      batch(() => {
        setBase(null)
        setConflicts([])
        setIsRemoved(false)
      }),
  }
}

/** The state of a form. */
export type Editor<Row extends object> = ReturnType<typeof createEditor<Row>>

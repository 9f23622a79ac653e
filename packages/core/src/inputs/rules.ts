import { Effect, Schema, SchemaAST, type SchemaIssue } from "effect"
import { describeColumns } from "../columns.ts"
import { InvalidInput } from "../failure.ts"
import { type InputIssue, listIssues, mostIssues } from "../input-issues.ts"
import { findRecordFault, withoutUndefined } from "../json-faults.ts"
import { withOwnIssues } from "../own-issues.ts"
import { lengthPhrase, phraseOf } from "../phrases.ts"
import { Email, isText, isUuid, nilUuid, normalizeEmail, Uuid } from "../schema.ts"
import { type CursorCodec, positionOrStart } from "./positions.ts"

/** A schema whose values are made from what callers give: what they leave out has its default. */
export type RecordSchema = Schema.Constraint & {
  readonly "~type.make.in": unknown
  makeEffect(input: never, options?: Schema.MakeOptions): Effect.Effect<unknown, SchemaIssue.Issue>
}

/** A schema that says whether a value is one of its own. */
export type CheckedSchema = Schema.Codec<unknown>

/** An id. One that is no uuid is an id that nobody has: its use case answers what it answers to an unknown one. */
export interface IdRule {
  readonly kind: "id"
  /** Whether it may be left out, which is null. */
  readonly isOptional: boolean
}

/** A list of ids. What is no list fails with `InvalidInput`. */
export interface IdsRule {
  readonly kind: "ids"
  readonly name: string
}

/** A record that is filled in and checked by a schema, as HTTP does with a body. Fails with `InvalidInput`. */
export interface RecordRule<S extends RecordSchema = RecordSchema, Optional extends boolean = boolean> {
  readonly kind: "record"
  readonly schema: S
  /** Whether the whole record may be left out. */
  readonly isOptional: Optional
}

/** Options with defaults, of which the whole may be left out. What no request can have fails with `InvalidInput`. */
export interface OptionsRule<D extends object = object> {
  readonly kind: "options"
  readonly defaults: D
  /** The names of the options that are ids. */
  readonly ids: ReadonlyArray<string>
  /** What schemas say of options by their names. */
  readonly fields: Readonly<Record<string, CheckedSchema>>
  /** The names of the options that may not be left out. */
  readonly needed: ReadonlyArray<string>
}

/** A number or text within bounds. What no request can have fails with `InvalidInput`. */
export interface ValueRule<Optional extends boolean = boolean> {
  readonly kind: "value"
  readonly name: string
  /** Whether it may be left out, which is `value`. */
  readonly isOptional: Optional
  readonly value: unknown
  readonly findFault: (given: unknown) => string | null
}

/** How one argument of a use case is read. */
export type InputRule = IdRule | IdsRule | RecordRule | OptionsRule | ValueRule

export const id = { kind: "id", isOptional: false } as const
export const optionalId = { kind: "id", isOptional: true } as const
export const ids = (name: string): IdsRule => ({ kind: "ids", name })
export const record = <S extends RecordSchema>(schema: S): RecordRule<S, false> => ({
  kind: "record",
  schema,
  isOptional: false,
})
export const optionalRecord = <S extends RecordSchema>(schema: S): RecordRule<S, true> => ({
  kind: "record",
  schema,
  isOptional: true,
})
export const options = <const D extends object>(
  defaults: D,
  names: ReadonlyArray<string> = [],
  fields: OptionsRule["fields"] = {},
  needed: ReadonlyArray<string> = [],
): OptionsRule<D> => ({ kind: "options", defaults, ids: names, fields, needed })

/** A whole number that may be left out. */
export const count = (name: string, least: number, most: number, value: number): ValueRule<true> => ({
  ...{ kind: "value", name, isOptional: true, value },
  findFault: (given) =>
    Number.isSafeInteger(given) && Number(given) >= least && Number(given) <= most
      ? null
      : `must be an integer from ${least} to ${most}`,
})
/** A value that is needed, and that its schema knows. */
export const checked = (name: string, schema: CheckedSchema): ValueRule<false> => ({
  ...{ kind: "value", name, isOptional: false, value: undefined },
  findFault: (given) => findSchemaFault(schema, given),
})
/** The same of one that may be left out, which is `value`. */
export const optionalChecked = (name: string, schema: CheckedSchema, value: unknown): ValueRule<true> => ({
  ...{ kind: "value", name, isOptional: true, value },
  findFault: (given) => (given === value ? null : findSchemaFault(schema, given)),
})
/** Text that is needed: what it has to be is the use case's to say. */
export const anyText = (name: string): ValueRule<false> => ({
  ...{ kind: "value", name, isOptional: false, value: undefined },
  findFault: (given) => (typeof given === "string" ? findTextFault(given) : "must be a string"),
})
/** Text that may be left out, which is `value`. */
export const optionalText = (name: string, value: string): ValueRule<true> => ({
  ...anyText(name),
  ...{ isOptional: true, value },
})
/** Text that may be left out, which is null. */
export const textOrNull = (name: string): ValueRule<true> => ({
  ...{ kind: "value", name, isOptional: true, value: null },
  findFault: (given) => (given === null ? null : anyText(name).findFault(given)),
})
/** Text that is needed and may not be empty: a token that is, is missing [A5]. */
export const filledText = (name: string): ValueRule<false> => ({
  ...anyText(name),
  findFault: (given) => (given === "" ? `must be ${lengthPhrase(1)}` : anyText(name).findFault(given)),
})
/** An instant that may be left out. */
export const optionalInstant = (name: string): ValueRule<true> => ({
  ...{ kind: "value", name, isOptional: true, value: undefined },
  findFault: (given) => (given === undefined ? null : findInstantFault(given)),
})
/** The key that makes a call safe to repeat; none where it is left out or null [E5]. */
export const key: ValueRule<true> = {
  ...{ kind: "value", name: "key", isOptional: true, value: null },
  findFault: (given) => (given === null || isText(given, 1, 255) ? null : `must be ${lengthPhrase(1, 255)}`),
}

/** The part of a list that is answered where nothing is said [A8]. */
export const slice = options({ limit: 50, offset: 0 })
/** The same of a list that is read on by cursors of `codec`. */
export const readOn = (codec: CursorCodec, names: ReadonlyArray<string> = [], fields: OptionsRule["fields"] = {}) =>
  options({ limit: 50, offset: 0 }, names, { ...fields, cursor: positionOrStart(codec) })

/** An id as use cases read it: that of nobody where it is no uuid. */
export const readId = (value: unknown) => (isUuid(value) ? value.toLowerCase() : nilUuid)

// Null says that there is none.
const readOptionalId = (value: unknown) => (value === null ? null : readId(value))

const isStruct = (schema: RecordSchema): schema is RecordSchema & { readonly fields: Schema.Struct.Fields } =>
  "fields" in schema && SchemaAST.isObjects(schema.ast)

/** The fields of a record that are one id each, or one instant. */
const findFields = (schema: RecordSchema, kind: "uuid" | "instant"): ReadonlyArray<string> =>
  isStruct(schema)
    ? Object.entries(schema.fields)
        .filter(([name, field]) => !SchemaAST.isNumber(field.ast) && isOfKind(kind, name, field))
        .map(([name]) => name)
    : []

/** The fields of a record that are a list of ids each. */
const findIdLists = (schema: RecordSchema): ReadonlyArray<string> =>
  isStruct(schema)
    ? Object.entries(schema.fields)
        .filter(([, { ast }]) => SchemaAST.isArrays(ast) && ast.rest[0] === Uuid.ast)
        .map(([name]) => name)
    : []

const isOfKind = (kind: "uuid" | "instant", name: string, field: Schema.Struct.Fields[string]) => {
  try {
    return describeColumns({ fields: { [name]: field } })[0]?.kind === kind
  } catch {
    // Numbers of requests are of no kind: no column holds them.
    return false
  }
}

/** The fields of a record that are emails. */
const findEmailFields = (schema: RecordSchema): ReadonlyArray<string> =>
  isStruct(schema)
    ? Object.entries(schema.fields)
        .filter(([, field]) => field === Email)
        .map(([name]) => name)
    : []

/** The fields of a record that are any JSON to its schema: what they have to be is the use case's to say. */
const findAnyJson = (schema: RecordSchema): ReadonlyArray<string> =>
  isStruct(schema)
    ? Object.entries(schema.fields)
        .filter(([, field]) => SchemaAST.isUnknown(field.ast))
        .map(([name]) => name)
    : []

const normalize = (value: unknown) => (typeof value === "string" ? normalizeEmail(value) : value)

const lowerIds = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(lowerIds)
  return isUuid(value) ? value.toLowerCase() : value
}

const isBadId = (value: unknown) => value !== undefined && value !== null && !isUuid(value)

// As in requests: the weeks and time zones of the year 1 begin in the year 0, which PostgreSQL does not have.
const isKeptInstant = (value: Date) => value.getUTCFullYear() >= 2 && value.getUTCFullYear() <= 9999
const instantFault = "must be an instant of the years 2 to 9999"

const isBadInstant = (value: unknown) => value instanceof Date && !isKeptInstant(value)

const findInstantFault = (value: unknown) => {
  if (!(value instanceof Date)) return "must be a Date"
  return isKeptInstant(value) ? null : instantFault
}

const listIdIssues = (name: string, value: unknown): ReadonlyArray<InputIssue> =>
  (Array.isArray(value) ? value : []).flatMap((each, at) =>
    isUuid(each) ? [] : [{ path: `${name}.${at}`, message: "must be a uuid" }],
  )

const makeRecordReader = ({ schema, isOptional }: RecordRule) => {
  const idFields = findFields(schema, "uuid")
  const idLists = findIdLists(schema)
  const instantFields = findFields(schema, "instant")
  const emailFields = findEmailFields(schema)
  const anyJson = findAnyJson(schema)
  const make = (given: unknown) =>
    Effect.mapError(
      schema.makeEffect(given as never, { parseOptions: { errors: "all" } }),
      (issue) => new InvalidInput({ issues: withOwnIssues(listIssues(issue, schema), schema, given) }),
    )
  // HTTP does so in decoding, of which records that are made know nothing.
  const readings = new Map([
    ...emailFields.map((name) => [name, normalize] as const),
    ...[...idFields, ...idLists].map((name) => [name, lowerIds] as const),
  ])
  const normalizeFields = (given: Readonly<Record<string, unknown>> | undefined) => {
    const found = [...readings].filter(([name]) => given?.[name] !== undefined)
    if (found.length === 0) return given
    return { ...given, ...Object.fromEntries(found.map(([name, read]) => [name, read(given?.[name])])) }
  }
  const listFieldIssues = (given: Readonly<Record<string, unknown>> | undefined): ReadonlyArray<InputIssue> => [
    ...idFields.filter((name) => isBadId(given?.[name])).map((path) => ({ path, message: "must be a uuid" })),
    ...idLists.flatMap((name) => listIdIssues(name, given?.[name])),
    ...instantFields.filter((name) => isBadInstant(given?.[name])).map((path) => ({ path, message: instantFault })),
  ]
  const trim = (given: object | undefined) => {
    const named = Object.entries(given ?? {}).filter(([name]) => anyJson.includes(name))
    return { ...given, ...Object.fromEntries(named.map(([name, value]) => [name, withoutUndefined(value)])) }
  }
  return (value: unknown): Effect.Effect<unknown, InvalidInput> => {
    if (schema === Email) return make(normalize(value))
    const given = normalizeFields((isOptional ? (value ?? {}) : value) as Readonly<Record<string, unknown>> | undefined)
    const issues = listFieldIssues(given)
    if (issues.length > 0) return Effect.fail(new InvalidInput({ issues: issues.slice(0, mostIssues) }))
    if (findRecordFault(given, anyJson) === null) return make(given)
    // Nothing is undefined in what was parsed, so that this is asked only where something is wrong.
    const fault = findRecordFault(given, anyJson, "undefined")
    return fault === null ? make(trim(given)) : Effect.fail(new InvalidInput({ issues: [fault] }))
  }
}

/** The most rows of a list that a request can ask for [A8]. */
const mostRows = 1_000

// Options of these names are instants and text, whatever the use case.
const instants = new Set(["since", "until", "at", "expires_at"])
const texts = new Set(["search", "event_name", "category", "item_type"])

const findOptionFault = (name: string, value: unknown): string | null => {
  const isWhole = Number.isSafeInteger(value)
  const number = value as number
  if (name === "limit" && !(isWhole && number >= 1 && number <= mostRows))
    return `must be an integer from 1 to ${mostRows}`
  if (name === "offset" && !(isWhole && number >= 0)) return "must be an integer from 0"
  if (texts.has(name) && typeof value !== "string") return "must be a string"
  if (instants.has(name) || value instanceof Date) return findInstantFault(value)
  if (typeof value === "number" && !Number.isFinite(value)) return "must be a number"
  return typeof value === "string" ? findTextFault(value) : null
}

const findSchemaFault = (schema: CheckedSchema, value: unknown) =>
  Schema.is(schema)(value) ? null : `must be ${phraseOf(schema.ast)}`

const findTextFault = (value: string) =>
  isText(value, 0, Number.POSITIVE_INFINITY) ? null : "must be well-formed Unicode without NUL"

const listOptionFaults = ({ fields, needed }: OptionsRule, options: unknown): ReadonlyArray<InputIssue> => [
  ...needed.filter((path) => !Object.hasOwn(options as object, path)).map((path) => ({ path, message: "is required" })),
  ...Object.entries(options as object).flatMap(([path, value]) => {
    const schema = fields[path]
    const message = schema === undefined ? findOptionFault(path, value) : findSchemaFault(schema, value)
    return message === null ? [] : [{ path, message }]
  }),
]

const listIdsFault = ({ name }: IdsRule, given: unknown): ReadonlyArray<InputIssue> =>
  Array.isArray(given) ? [] : [{ path: name, message: "must be an array" }]

const listValueFault = ({ name, findFault }: ValueRule, given: unknown): ReadonlyArray<InputIssue> => {
  const message = findFault(given)
  return message === null ? [] : [{ path: name, message }]
}

const listFaults = (rule: OptionsRule | ValueRule | IdsRule, given: unknown): ReadonlyArray<InputIssue> => {
  if (rule.kind === "options") return listOptionFaults(rule, given)
  return rule.kind === "ids" ? listIdsFault(rule, given) : listValueFault(rule, given)
}

type Reader = (value: unknown) => unknown

const makeReader = (rule: InputRule): Reader => {
  switch (rule.kind) {
    case "id":
      return rule.isOptional ? (value) => readOptionalId(value ?? null) : readId
    case "ids":
      return (value) => (Array.isArray(value) ? value.map(readId) : value)
    case "value":
      return (value) => (value === undefined ? rule.value : value)
    case "options":
      return (value) => {
        // Null says that there is none, where there need not be one.
        const isNone = (name: string) => !Object.hasOwn(rule.defaults, name) && !rule.needed.includes(name)
        const named = Object.entries((value ?? {}) as object).filter(
          ([name, each]) => each !== undefined && !(each === null && isNone(name)),
        )
        const given: Record<string, unknown> = { ...rule.defaults, ...Object.fromEntries(named) }
        for (const name of rule.ids)
          if (given[name] !== undefined)
            given[name] = rule.needed.includes(name) ? readId(given[name]) : readOptionalId(given[name])
        return given
      }
    default:
      return (value) => value
  }
}

type UseCase = (...args: ReadonlyArray<unknown>) => unknown

/** `run`, called with what `rules` make of its arguments. */
export const withRules = (run: UseCase, rules: ReadonlyArray<InputRule>): UseCase => {
  const readers = rules.map(makeReader)
  const at = rules.findIndex((rule) => rule.kind === "record")
  const rule = rules[at]
  const readRecord = rule?.kind === "record" ? makeRecordReader(rule) : null
  const readArguments = (given: ReadonlyArray<unknown>) => {
    const args = [...given]
    for (const [index, read] of readers.entries()) {
      const value = read(args[index])
      if (value !== undefined) args[index] = value
    }
    return args
  }
  const toCheck = rules.flatMap((rule, index) =>
    rule.kind === "options" || rule.kind === "value" || rule.kind === "ids" ? [{ rule, index }] : [],
  )
  const checkValues = (args: ReadonlyArray<unknown>) => {
    const issues = toCheck.flatMap(({ rule, index }) => listFaults(rule, args[index]))
    return issues.length === 0 ? null : Effect.fail(new InvalidInput({ issues }))
  }
  if (readRecord === null)
    return (...given) => {
      const args = readArguments(given)
      return checkValues(args) ?? run(...args)
    }
  return (...given) => {
    const args = readArguments(given)
    return (
      checkValues(args) ??
      Effect.flatMap(readRecord(args[at]), (value) => {
        args[at] = value
        return run(...args) as Effect.Effect<unknown, unknown>
      })
    )
  }
}

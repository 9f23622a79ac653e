import { phraseOf } from "@hearth/core"
import { Config, ConfigProvider, Effect, Result, Schema, SchemaIssue } from "effect"

/** One variable of the environment: what it is for, how it is read, and its default. */
export interface Setting<A> {
  /** One sentence or two, for `.env.example`. */
  readonly about: string
  /** What stands in `.env.example`: the default, or an example where there is none. */
  readonly shown: string
  /** What of a value that was given is never printed; nothing where left out. */
  readonly hides?: "password" | "everything"
  readonly read: (name: string) => Config.Config<A>
}

/** The settings of an executable, by the names of their variables. */
export type Settings = Readonly<Record<string, Setting<unknown>>>

/** What was read. */
export type ValuesOf<S extends Settings> = { readonly [Name in keyof S]: S[Name] extends Setting<infer A> ? A : never }

/** The variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>

type FromText<A> = Schema.ConstraintCodec<A, string>

/** A setting that may be left out, and then is `value`. */
export const withDefault = <A>(
  about: string,
  schema: FromText<A>,
  value: NoInfer<A>,
  shown = String(value),
): Setting<A> => ({
  about,
  shown,
  read: (name) => Config.withDefault(Config.schema(schema, name), value),
})

/** A setting that may be left out, and then is null. */
export const optional = <A>(about: string, schema: FromText<A>, shown: string): Setting<A | null> => ({
  about,
  shown,
  read: (name) => Config.withDefault(Config.schema(schema, name), null),
})

/** One of these texts, with a sentence that names them all. */
export const choice = <const Text extends string>(texts: ReadonlyArray<Text>) => {
  const schema = Schema.Literals(texts)
  return schema.annotate({ message: `must be ${phraseOf(schema.ast)}` })
}

/** A setting whose problem is told without the password in its address, or without anything that was given. */
export const hiding = <A>(hides: NonNullable<Setting<A>["hides"]>, setting: Setting<A>): Setting<A> => ({
  ...setting,
  hides,
})

const mostShown = 100

/** An address without what may be secret in it: drivers take passwords in the query too, and tokens are in queries and fragments. */
const maskUrl = (url: URL): URL => {
  if (url.password !== "") url.password = "***"
  else if (url.username !== "") url.username = "***"
  if (url.search !== "") url.search = "***"
  if (url.hash !== "") url.hash = "***"
  return url
}

/** The same for what is no address, and looks like one. */
const maskText = (value: string): string =>
  value.replace(/:\/\/.*@/s, "://***@").replace(/(:\/\/[^?#]*[?#]).*/s, "$1***")

/** What was given, as the end of a sentence. */
const showGiven = (value: string, hides: Setting<unknown>["hides"]): string => {
  const url = URL.parse(value)
  if (hides === "everything" || (hides === "password" && url === null))
    return `what was given, ${value.length} characters, is not shown`
  const hasHost = url !== null && (url.host !== "" || url.protocol === "file:")
  // A host without slashes may be a password.
  if (url !== null && !hasHost && (hides === "password" || value.includes("@")))
    return `what was given begins with ${url.protocol}`
  const mayTell = hides === undefined && !/[@?#]/.test(value)
  const shown = mayTell ? value : hasHost ? maskUrl(url).href : maskText(value)
  return `it is ${JSON.stringify(shown.length > mostShown ? `${shown.slice(0, mostShown)}…` : shown)}`
}

/** Whether a variable is left out; an empty one counts as such. */
export const isLeftOut = (environment: Environment, name: string): boolean => (environment[name] ?? "") === ""

const problemOf = (error: Config.ConfigError): string =>
  error.cause._tag === "SchemaError"
    ? SchemaIssue.makeFormatterStandardSchemaV1()(error.cause.issue)
        .issues.map((issue) => issue.message)
        .join("; ")
    : error.message

/**
 * Reads every setting. All problems are answered at once, a sentence each, with what is expected and what was given; an empty
 * variable counts as left out.
 */
export const readSettings = <const S extends Settings>(
  settings: S,
  environment: Environment,
): Result.Result<ValuesOf<S>, ReadonlyArray<string>> => {
  const given = Object.entries(environment).filter(([, value]) => value !== undefined && value !== "")
  const provider = ConfigProvider.fromUnknown(Object.fromEntries(given))
  const problems: Array<string> = []
  const values: Record<string, unknown> = {}
  for (const [name, setting] of Object.entries(settings)) {
    const value = Effect.runSync(Effect.result(setting.read(name).parse(provider)))
    if (Result.isSuccess(value)) values[name] = value.success
    else problems.push(`${name}: ${problemOf(value.failure)}; ${showGiven(environment[name] ?? "", setting.hides)}.`)
  }
  return problems.length > 0 ? Result.fail(problems) : Result.succeed(values as ValuesOf<S>)
}

/** The text of `.env.example`: every setting with what it is for. */
export const environmentExample = (settings: Settings): string =>
  Object.entries(settings)
    .map(([name, { about, shown }]) => `# ${about}\n# ${name}=${shown}\n`)
    .join("\n")

import { join } from "node:path"
import { Argument, Command } from "commander"

const names = ["JWT_KEYS", "SECRETS_KEY"] as const
type Name = (typeof names)[number]

const files: Readonly<Record<Name, string>> = { JWT_KEYS: "token-keys.json", SECRETS_KEY: "secrets-key" }

interface Options {
  readonly rotate?: boolean
  readonly last?: boolean
}

/** The keys that are in use: those of the environment or of `.env`, else those that an embedded service keeps. */
const readPresent = async (name: Name, environment: Readonly<Record<string, string | undefined>>): Promise<string> => {
  const set = environment[name] ?? ""
  if (set !== "") return set
  const { DATA_DIR = "", DATABASE_URL = "" } = environment
  const file = join(DATA_DIR === "" ? "./data" : DATA_DIR, files[name])
  const problem = `${name}: there is nothing to rotate, because neither the environment nor .env sets it`
  if (DATABASE_URL !== "") throw new Error(`${problem}. Without --rotate new keys are made.`)
  const { readKeptFile } = await import("@hearth/adapters")
  const kept = await readKeptFile(file).catch(({ message }: Error) => {
    throw new Error(`${name}: ${message}`)
  })
  if (kept === null) throw new Error(`${problem} and there is no file ${file}. Without --rotate new keys are made.`)
  return kept
}

const inOrder = <A>(added: A, present: ReadonlyArray<A>, { last }: Options): ReadonlyArray<A> =>
  last === true ? [...present, added] : [added, ...present]

const readSet = (json: string): ReadonlyArray<unknown> => JSON.parse(json).keys

const splitList = (list: string): ReadonlyArray<string> =>
  list
    .split(/[,\n]/)
    .map((key) => key.trim())
    .filter((key) => key !== "")

const make = async (name: Name, options: Options): Promise<string> => {
  const { generateSecretKey, generateTokenKeys, loadSecretKeys, loadTokenKeys, readEnvironment } = await import(
    "@hearth/adapters"
  )
  const { Effect } = await import("effect")
  const made = name === "JWT_KEYS" ? generateTokenKeys() : generateSecretKey()
  if (options.rotate !== true) return made
  const present = await readPresent(name, readEnvironment())
  // What cannot be read is refused, with the sentence that a start would print.
  const nameProblem = ({ message }: Error) => Promise.reject(new Error(`${name}: ${message}`))
  if (name === "JWT_KEYS") {
    await Effect.runPromise(loadTokenKeys(present)).catch(nameProblem)
    const [added] = readSet(made)
    return JSON.stringify({ keys: inOrder(added, readSet(present), options) })
  }
  await Effect.runPromise(loadSecretKeys(present)).catch(nameProblem)
  return inOrder(made, splitList(present), options).join(",")
}

const about =
  "Prints JWT_KEYS, which sign tokens, and SECRETS_KEY, which encrypts the secrets of integrations, ready to be put into .env or another store of secrets. Nothing is changed by it."

const rotation = `
To rotate: \`hearth keys SECRETS_KEY --rotate\` prints a new key in front of those that are in use, which stay valid. Put it in place of
the old line, and restart. Where several processes run, begin with --rotate --last, restart all of them, then move the new key to the
front and restart again: so each can read what the others write. docs/operators.md says when an old key may go.`

/** `hearth keys`: makes keys, and rotates them. */
export const keysCommand = (): Command =>
  new Command("keys")
    .summary("make the keys of a service, or rotate them")
    .description(about)
    .addArgument(new Argument("[name]", "one of them; both where left out").choices(names))
    .option("--rotate", "keep the keys that are in use, and put a new one in front of them")
    .option("--last", "with --rotate: put the new one behind them")
    .addHelpText("after", rotation)
    .action(async (name: Name | undefined, options: Options, command: Command) => {
      if (options.last === true && options.rotate !== true) command.error("error: --last needs --rotate")
      const lines: Array<string> = []
      for (const each of name === undefined ? names : [name]) lines.push(`${each}='${await make(each, options)}'`)
      process.stdout.write(`${lines.join("\n")}\n`)
    })

import { Command, CommanderError } from "commander"
import { version } from "../version.ts"
import { backupCommand } from "./backup.ts"
import { watchOutput } from "./broken-output.ts"
import { demoCommand } from "./demo.ts"
import { doctorCommand } from "./doctor.ts"
import { keysCommand } from "./keys.ts"
import { migrateCommand } from "./migrate.ts"
import { restoreCommand } from "./restore.ts"
import { seedCommand } from "./seed.ts"
import { startCommand } from "./start.ts"
import { workerCommand } from "./worker.ts"

// As shells and getopt have it: 1 is a failure of what was asked for, 2 is asking for what there is not.
const misunderstood = 2

const epilogue = `
Settings are variables of the environment, or of the file .env in the working directory; what is set in the environment wins.
.env.example lists them. Exit codes: 0 it is done, 1 it failed and said why, or what it says could not be written, ${misunderstood} the command was not understood,
129, 130 and 143 it was ended by a closed terminal, Ctrl-C or a SIGTERM.`

// In the order of the help.
const commands = () => [
  startCommand(),
  workerCommand(),
  keysCommand(),
  migrateCommand(),
  doctorCommand(),
  backupCommand(),
  restoreCommand(),
  demoCommand(),
  seedCommand(),
]

const makeProgram = (): Command => {
  const program = new Command("hearth")
    .description("Hearth, the engagement backend.")
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand("help [command]", "print the help of a command")
    .addHelpText("after", epilogue)
    .showHelpAfterError("(hearth --help lists what there is)")
  for (const command of commands()) program.addCommand(command.copyInheritedSettings(program).exitOverride())
  return program.exitOverride()
}

/** Runs the command that the arguments of a process name, and sets the exit code of the process. */
export const runProgram = async (argv: ReadonlyArray<string>): Promise<void> => {
  watchOutput()
  try {
    await makeProgram().parseAsync([...argv])
  } catch (error) {
    if (error instanceof CommanderError) {
      // What asks for help or the version has its answer; help that nobody asked for shows that no command was named.
      if (error.exitCode !== 0) process.exitCode = misunderstood
      return
    }
    const { operatorSentence } = await import("../operator-sentence.ts")
    const { Interrupted } = await import("./stop-signal.ts")
    process.stderr.write(`${operatorSentence(error)}\n`)
    process.exitCode = error instanceof Interrupted ? error.exitCode : 1
  }
}

import { Command } from "commander"
import type { Finding } from "./doctor/finding.ts"

const summarize = (findings: ReadonlyArray<Finding>) =>
  findings.some(({ status }) => status === "failed")
    ? "failed"
    : findings.some(({ status }) => status === "warning")
      ? "warning"
      : "ok"

const formatLine = ({ check, status, message, remedy }: Finding): string =>
  `${status.padEnd(7)}  ${check.padEnd(11)}  ${message}${remedy === null ? "" : ` ${remedy}`}`

/** `hearth doctor`: looks at everything that the service needs. */
export const doctorCommand = (): Command =>
  new Command("doctor")
    .summary("look at everything that the service needs, and say what to do")
    .description(
      "Looks at settings, keys, PostgreSQL, Redis, the queue, mail and disks, and prints a line for each: ok, warning or failed, what was found, and what to do. It changes nothing, and may run beside a service or without one. Exit code 1 where something failed.",
    )
    .option("--json", "print an object with `status` and `checks`")
    .action(async ({ json }: { readonly json?: boolean }) => {
      const { examine } = await import("./doctor/examine.ts")
      const checks = await examine()
      const status = summarize(checks)
      process.stdout.write(
        json === true ? `${JSON.stringify({ status, checks }, null, 2)}\n` : `${checks.map(formatLine).join("\n")}\n`,
      )
      if (status === "failed") process.exitCode = 1
    })

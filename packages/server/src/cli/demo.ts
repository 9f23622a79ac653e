import { Command } from "commander"

/** `hearth demo`: ten years of commits, replayed. */
export const demoCommand = (): Command =>
  new Command("demo")
    .summary("replay ten years of a real history, and check what was counted")
    .description(
      "Replays ten years of commits into a new project of the service that runs under HOST and PORT, or of one that it starts for this, and checks every streak and all XP against what another program has counted.",
    )
    .action(async () => {
      const { readConfig } = await import("./read-config.ts")
      const { runDemo } = await import("../demo/run-demo.ts")
      const isRight = await runDemo(readConfig())
      process.exit(isRight ? 0 : 1)
    })

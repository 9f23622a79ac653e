import { defineProject } from "vitest/config"

export default defineProject({
  test: {
    name: "core",
    isolate: false,
    include: ["test/**/*.test.ts", "src/**/*.test.ts"],
    // What is waited for comes late on a busy machine. No test asserts how long it takes.
    testTimeout: 120_000,
    expect: { poll: { timeout: 45_000 } },
  },
})

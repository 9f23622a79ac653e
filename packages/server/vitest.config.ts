import { defineProject } from "vitest/config"

export default defineProject({
  test: {
    name: "server",
    isolate: false,
    globalSetup: ["@hearth/test-services/global-setup", "./test/harness/build-console.ts"],
    include: ["test/**/*.test.ts", "src/**/*.test.ts"],
    // What is waited for comes late on a busy machine. No test asserts how long it takes.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 45_000 } },
  },
})

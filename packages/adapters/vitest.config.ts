import { defineProject } from "vitest/config"

export default defineProject({
  test: {
    name: "adapters",
    isolate: false,
    globalSetup: ["@hearth/test-services/global-setup"],
    include: ["test/**/*.test.ts"],
    // A server that DATABASE_URL names may sync to disk: dropping a database takes seconds there.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // What is waited for comes late on a busy machine. No test asserts how long it takes.
    expect: { poll: { timeout: 45_000 } },
  },
})

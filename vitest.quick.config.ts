import { defineConfig } from "vitest/config"

// Rules, use cases and the contracts in memory, for work on them. It starts no database and no Redis.
export default defineConfig({
  test: {
    isolate: false,
    projects: [
      "packages/client",
      "packages/core",
      "packages/testing",
      "packages/worker",
      "packages/test-services",
      {
        test: {
          name: "adapters",
          root: "packages/adapters",
          isolate: false,
          include: ["test/**/*.test.ts"],
          testTimeout: 30_000,
          // Hashing passwords is slow by intention. The others need PostgreSQL or Redis.
          exclude: ["test/{composition,embedded,passwords,postgres,queue}/**", "test/limits/{postgres,redis}.test.ts"],
        },
      },
    ],
  },
})

import { defineProject } from "vitest/config"

export default defineProject({
  test: {
    name: "server",
    isolate: false,
    globalSetup: ["@hearth/test-services/global-setup"],
    include: ["test/**/*.test.ts", "src/**/*.test.ts"],
  },
})

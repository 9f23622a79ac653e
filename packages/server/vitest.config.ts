import { defineProject } from "vitest/config"

export default defineProject({
  test: { name: "server", isolate: false, include: ["test/**/*.test.ts", "src/**/*.test.ts"] },
})

import { defineConfig } from "vite"
import solid from "vite-plugin-solid"

// The service that `vite` asks while the console is worked on.
const service = process.env["HEARTH_URL"] ?? "http://127.0.0.1:8080"

export default defineConfig({
  base: "/console/",
  plugins: [solid()],
  // No file becomes part of another: the policy of the page allows no scripts or styles but its own files.
  build: { target: "es2022", assetsInlineLimit: 0, modulePreload: { polyfill: false }, reportCompressedSize: false },
  server: { proxy: { "/v1": service, "/dev": service, "/files": service } },
  logLevel: "warn",
})

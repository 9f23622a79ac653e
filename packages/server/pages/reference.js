// Shows the reference with Scalar, from this server alone: no fonts, no telemetry, no proxy, no assistant.

const address = "/openapi.json"
// Asked for while the bundle is still on its way. Its examples name this server in place of the usual address.
const loaded = fetch(address).then(async (answer) => (await answer.text()).replaceAll("http://127.0.0.1:8080", origin))

const isDocument = (input) => new URL(input.url ?? input, location.href).pathname === address

const hidden = [
  "c",
  "clojure",
  "csharp",
  "dart",
  "fsharp",
  "go",
  "http",
  "java",
  "julia",
  "node",
  "objc",
  "ocaml",
].concat(["php", "powershell", "python", "r", "ruby", "rust"])

addEventListener("DOMContentLoaded", () => {
  Scalar.createApiReference("#reference", {
    url: address,
    customFetch: async (input, init) =>
      isDocument(input)
        ? new Response(await loaded, { headers: { "content-type": "application/json" } })
        : fetch(input, init),
    agent: { disabled: true },
    mcp: { disabled: true },
    telemetry: false,
    withDefaultFonts: false,
    showDeveloperTools: "never",
    hideClientButton: true,
    persistAuth: false,
    documentDownloadType: "direct",
    orderSchemaPropertiesBy: "preserve",
    defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
    hiddenClients: {
      ...Object.fromEntries(hidden.map((language) => [language, true])),
      js: ["axios", "jquery", "ofetch", "xhr"],
      shell: ["httpie", "wget"],
    },
    // The section that is scrolled to has the focus: its frame would be drawn around the whole page.
    customCss: ".section-container:focus, section:focus { outline: none }",
  })
})

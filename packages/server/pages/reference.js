// Shows the reference with Scalar, from this server alone: no fonts, no telemetry, no proxy, no assistant.

const address = "/openapi.json"
const asText = (value) => JSON.stringify(value, null, 2).replace(/^( *)"([A-Za-z_]\w*)":/gm, "$1$2:")

/** A call in TypeScript, as one writes it with @hearth/client; where that has no such route, with fetch. */
const typescript = (path, method, { parameters = [], requestBody, security = [], servers }) => {
  const verb = method.toUpperCase()
  const body = requestBody?.content?.["application/json"]?.example
  const scheme = security[0] ?? {}
  const client = "DeveloperToken" in scheme ? "admin" : "ClientKey" in scheme ? "hearth" : null
  if (client === null) {
    const init = { method: verb, ...(body && { headers: { "content-type": "application/json" } }) }
    const sent = body ? `{ ...${asText(init)}, body: JSON.stringify(${asText(body)}) }` : asText(init)
    return `const response = await fetch("${origin}${servers ? "" : "/v1"}${path}", ${sent})\nconsole.log(await response.json())`
  }
  const placed = (place) => parameters.filter((one) => one.in === place && (place === "path" || one.required))
  const named = (place) => Object.fromEntries(placed(place).map(({ name }) => [name, `<${name}>`]))
  const [inPath, query] = [named("path"), named("query")]
  const params = {
    ...(Object.keys(inPath).length > 0 && { path: inPath }),
    ...(Object.keys(query).length > 0 && { query }),
  }
  const options = { ...(Object.keys(params).length > 0 && { params }), ...(body !== undefined && { body }) }
  const given = Object.keys(options).length > 0 ? `, ${asText(options)}` : ""
  const made =
    client === "admin"
      ? `import { createAdminClient } from "@hearth/client"\n\nconst admin = createAdminClient({ url: "${origin}", token: "<DEV_TOKEN>" })`
      : `import { createClient } from "@hearth/client"\n\nconst hearth = createClient({ url: "${origin}", apiKey: "<CLIENT_API_KEY>" })`
  return `${made}\nconst answer = await ${client}.api.${verb}("${path}"${given})\nconsole.log(answer)`
}

/** The document with a sample in TypeScript for each call. */
const withSamples = (document) => {
  for (const [path, calls] of Object.entries(document.paths))
    for (const [method, call] of Object.entries(calls))
      call["x-codeSamples"] = [{ lang: "typescript", label: "TypeScript", source: typescript(path, method, call) }]
  return document
}

// Asked for while the bundle is still on its way. Its examples name this server in place of the usual address.
const loaded = fetch(address).then(async (answer) => {
  const text = (await answer.text()).replaceAll("http://127.0.0.1:8080", origin)
  return JSON.stringify(withSamples(JSON.parse(text)))
})

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
  "js",
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
      shell: ["httpie", "wget"],
    },
    // The section that is scrolled to has the focus: its frame would be drawn around the whole page.
    customCss: ".section-container:focus, section:focus { outline: none }",
  })
})

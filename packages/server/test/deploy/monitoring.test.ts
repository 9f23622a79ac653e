import { parser } from "@prometheus-io/lezer-promql"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { parse } from "yaml"
import { makeHarness } from "../harness/harness.ts"
import { alertCases } from "./alert-cases.ts"
import { hasTool, makeScratch, readBlocks, readText, runTool } from "./tools.ts"

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string }
}
interface Dashboard {
  readonly panels: ReadonlyArray<{ readonly title: string; readonly targets: ReadonlyArray<{ readonly expr: string }> }>
}

const rulesText = readText("deploy/prometheus/alerts.yaml")
const rules: ReadonlyArray<Rule> = parse(rulesText).groups.flatMap(({ rules }: { rules: Array<Rule> }) => rules)
const { panels }: Dashboard = JSON.parse(readText("deploy/grafana/dashboard.json"))
const queries = [
  ...rules.map(({ alert, expr }) => ({ of: alert, expr })),
  ...panels.flatMap(({ title, targets }) =>
    // Grafana puts a duration there.
    targets.map(({ expr }) => ({ of: title, expr: expr.replaceAll("$__rate_interval", "5m") })),
  ),
]

/** The metrics that a query names; `⚠` where it is no query. */
const readMetrics = (expr: string): ReadonlyArray<string> => {
  const names: Array<string> = []
  parser.parse(expr).iterate({
    enter: ({ type, from, to, node }) => {
      if (type.isError) names.push("⚠")
      if (type.name === "Identifier" && node.parent?.name === "VectorSelector") names.push(expr.slice(from, to))
    },
  })
  return names
}

describe("what is monitored", () => {
  const harness = makeHarness()
  const known = new Set<string>()

  beforeAll(async () => {
    const { environment } = await harness.database()
    const server = await harness.server({ ...environment, LOG_LEVEL: "info" })
    const worker = await harness.worker({ ...environment, WORKER_PORT: "0" })
    const [, operators = ""] = await worker.says(/"operators":"([^"]+)"/)
    for (const url of [server.url, operators])
      for (const [, name = "", kind] of (await (await fetch(`${url}/metrics`)).text()).matchAll(
        /^# TYPE (\S+) (\S+)$/gm,
      ))
        for (const end of kind === "histogram" ? ["_bucket", "_sum", "_count"] : [""]) known.add(`${name}${end}`)
  })
  afterAll(harness.clear)

  it.each(queries)("is measured: $of", ({ expr }) => {
    const named = readMetrics(expr)
    expect(named.length).toBeGreaterThan(0)
    // Prometheus itself makes `up`.
    expect(named.filter((name) => name !== "up" && !known.has(name))).toEqual([])
  })

  it("is everything that Hearth measures of itself", () => {
    const shown = new Set(queries.flatMap(({ expr }) => readMetrics(expr)))
    const own = [...known].filter((name) => name.startsWith("hearth_") && !/_(?:sum|count)$/.test(name))
    expect(own.length).toBeGreaterThan(10)
    expect(own.filter((name) => !shown.has(name))).toEqual([])
  })
})

describe("every count of incidents", () => {
  // The series of a reaction or of a signal begins at one, which is no increase. Refusals for load have one series, which begins at none.
  const withSeries = queries.filter(({ expr }) => /increase\((?!hearth_http_overload)/.test(expr))
  // It fires when there are several.
  const first = withSeries.filter(({ of }) => of !== "HearthNeedsAttention")

  it.each(first)("has the first one in it: $of", ({ expr }) => {
    for (const [, series = ""] of expr.matchAll(/increase\((.+?)\[/g))
      expect(expr).toContain(`${series} unless ${series} offset `)
  })
})

describe("every alert", () => {
  it("says what to do, in the page about deploying", () => {
    const told = [...readText("docs/deploy.md").matchAll(/^\| `(Hearth\w+)` \| \S.*\. \|$/gm)].map(([, name]) => name)
    expect(told).toEqual(rules.map(({ alert }) => alert))
    for (const { labels, annotations } of rules) {
      expect(["page", "ticket"]).toContain(labels.severity)
      expect(annotations.summary).toMatch(/\.$/)
    }
  })

  const isPrometheusMissing = !hasTool("promtool", ["--version"], "the set of alerts")
  const scratch = makeScratch()

  it.skipIf(isPrometheusMissing)("is accepted by Prometheus", () => {
    const file = scratch("alerts.yaml", rulesText)
    expect(runTool("promtool", ["check", "rules", file])).toMatchObject({ status: 0 })
    for (const block of readBlocks("yaml"))
      expect(runTool("promtool", ["check", "config", scratch("prometheus.yaml", block)])).toMatchObject({ status: 0 })
  })

  it("is tried", () => {
    expect(Object.keys(alertCases)).toEqual(rules.map(({ alert }) => alert))
  })

  it.skipIf(isPrometheusMissing).each(Object.entries(alertCases))(
    "is raised for what it is for: %s",
    (alert, given) => {
      const { severity } = rules.find((rule) => rule.alert === alert)?.labels ?? {}
      const raised = [{ exp_labels: { severity, ...given.labels }, exp_annotations: { summary: given.says } }]
      const trials = [
        { seen: given.wrong, exp_alerts: raised },
        { seen: given.well, exp_alerts: [] },
      ]
      const tests = trials.map(({ seen, exp_alerts }) => ({
        interval: "1m",
        input_series: Object.entries(seen).map(([series, values]) => ({ series, values })),
        alert_rule_test: [{ eval_time: `${given.minute}m`, alertname: alert, exp_alerts }],
      }))
      const file = { rule_files: [scratch("rules.yaml", rulesText)], evaluation_interval: "1m", tests }
      const { status, text } = runTool("promtool", ["test", "rules", scratch("trial.yaml", JSON.stringify(file))]) ?? {}
      expect(status, text).toBe(0)
    },
  )
})

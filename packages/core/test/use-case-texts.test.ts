import { globSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { API, type Checker, SignatureKind, type Type, type Symbol as TypeSymbol } from "typescript/unstable/sync"
import { describe, expect, it } from "vitest"

const root = join(import.meta.dirname, "../../..")
const source = join(root, "packages/core/src")

/** What every use case of a project may fail with, as `createEngagement` says: a text names them where there is more to say. */
const general = new Set(["TENANT_BUSY", "TENANT_UNAVAILABLE", "SERVICE_UNAVAILABLE"])
/** Failures without a code of the API: who calls these use cases is in the core. */
const ofPorts = new Set(["Duplicate"])

/** The codes of the failures that the sources declare, by their classes. */
const readCodes = async (): Promise<ReadonlyMap<string, string>> => {
  const codes = new Map<string, string>()
  for (const file of globSync("**/*.ts", { cwd: source, exclude: ["**/*.test.ts"] })) {
    const exported: Readonly<Record<string, unknown>> = await import(pathToFileURL(join(source, file)).href)
    for (const [name, value] of Object.entries(exported))
      if (typeof value === "function" && "sentence" in value && "code" in value) codes.set(name, String(value.code))
  }
  return codes
}

interface UseCase {
  readonly name: string
  readonly text: string
  /** The names of the types of its failures. */
  readonly failures: ReadonlySet<string>
}

const isRun = (type: Type) => ["Effect", "Stream"].includes(type.getSymbol()?.name ?? "")
const partsOf = (type: Type) => (type.isUnionType() ? (type.getTypes() ?? []) : [type])

/** What an effect or stream fails with, and what the one that it answers fails with. */
const addFailures = (checker: Checker, type: Type | undefined, into: Set<string>): void => {
  for (const part of type === undefined ? [] : partsOf(type)) {
    if (!isRun(part) || !part.isTypeReference()) continue
    const [answer, failure] = checker.getTypeArguments(part)
    // A parameter is whatever the work of the caller fails with.
    for (const each of failure === undefined ? [] : partsOf(failure))
      if (!each.isTypeParameter()) into.add(each.getSymbol()?.name ?? "")
    addFailures(checker, answer, into)
  }
}

const readUseCase = (checker: Checker, name: string, property: TypeSymbol, type: Type): UseCase => {
  const failures = new Set<string>()
  addFailures(checker, type, failures)
  for (const signature of checker.getSignaturesOfType(type, SignatureKind.Call))
    addFailures(checker, checker.getReturnTypeOfSignature(signature), failures)
  failures.delete("")
  return { name, text: property.getDocumentationComment(checker), failures }
}

/** The use cases of a group, and of the groups in it. Values of libraries, such as arrays and schemas, are none. */
const listWithin = (checker: Checker, type: Type, path: string): Array<UseCase> =>
  checker.getPropertiesOfType(type).flatMap((property) => {
    const name = `${path}${property.name}`
    const own = checker.getTypeOfSymbol(property)
    if (own === undefined || !property.declarations.some((each) => each.path.includes("/core/src/"))) return []
    const isUseCase = isRun(own) || checker.getSignaturesOfType(own, SignatureKind.Call).length > 0
    if (isUseCase) return [readUseCase(checker, name, property, own)]
    return checker.isArrayType(own) ? [] : listWithin(checker, own, `${name}.`)
  })

const listUseCases = (): ReadonlyArray<UseCase> => {
  const api = new API({ cwd: root })
  try {
    const config = join(root, "packages/core/tsconfig.json")
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config)
    const file = project?.program.getSourceFile(join(source, "use-cases.ts"))
    const module = file && project?.checker.getSymbolAtLocation(file)
    const found = module && project?.checker.getMemberInModuleExports(module, "UseCases")
    if (project === undefined || found === undefined) throw new Error("use-cases.ts declares no UseCases.")
    return listWithin(project.checker, project.checker.getDeclaredTypeOfSymbol(found), "")
  } finally {
    api.close()
  }
}

describe("the texts of use cases", async () => {
  const codes = await readCodes()
  const known = new Set(codes.values())
  const ofProjects = new Set(["TenantBusy", "TenantUnavailable", "ProjectNotFound"])
  const useCases = listUseCases()

  it("are found, and so are their failures", () => {
    expect(useCases.length).toBeGreaterThan(320)
    expect(useCases.filter(({ failures }) => failures.size > 0).length).toBeGreaterThan(250)
    const unknown = useCases.flatMap(({ failures }) => [...failures].filter((each) => !codes.has(each)))
    expect(unknown.filter((each) => !ofPorts.has(each))).toEqual([])
  })

  it("name the codes that each fails with, and no others", () => {
    const differences = useCases.flatMap(({ name, text, failures }) => {
      const raised = [...failures].filter((each) => !ofProjects.has(each)).flatMap((each) => codes.get(each) ?? [])
      const said = [...text.matchAll(/`([A-Z][A-Z_]+)`/g)]
        .map(([, code = ""]) => code)
        .filter((code) => known.has(code))
      const missing = raised.filter((code) => !said.includes(code))
      const others = said.filter((code) => !raised.includes(code) && !general.has(code))
      return missing.length + others.length === 0 ? [] : [{ name, missing, others }]
    })
    expect(differences).toEqual([])
  })
})

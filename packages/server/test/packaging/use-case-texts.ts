import { join } from "node:path"
import ts from "typescript"

/** A use case of the core, and what an editor shows of it. */
export interface UseCaseText {
  readonly path: string
  readonly text: string
}

/** What can be called or run, by itself or by a queue. Everything else of the service groups such things. */
const isUseCase = (checker: ts.TypeChecker, type: ts.Type): boolean =>
  type.getCallSignatures().length > 0 ||
  checker.isArrayType(type) ||
  type.symbol?.name === "Effect" ||
  (type.getProperty("name") !== undefined && type.getProperty("run") !== undefined)

const listWithin = (checker: ts.TypeChecker, type: ts.Type, path: string): ReadonlyArray<UseCaseText> =>
  type.getProperties().flatMap((property) => {
    const name = `${path}${property.name}`
    const own = checker.getTypeOfSymbol(property)
    if (!isUseCase(checker, own)) return listWithin(checker, own, `${name}.`)
    return [{ path: name, text: ts.displayPartsToString(property.getDocumentationComment(checker)) }]
  })

/** The use cases of the core that is installed in a project. What is shown is what the declarations still have. */
export const listUseCaseTexts = (project: string): ReadonlyArray<UseCaseText> => {
  const file = join(project, "node_modules/@hearth/core/dist/engagement.d.ts")
  // The oldest library is read the fastest, and nothing here depends on it.
  const options: ts.CompilerOptions = {
    ...{ module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2024, lib: ["lib.es5.d.ts"], types: [] },
    ...{ strict: true, skipLibCheck: true, noEmit: true },
  }
  const program = ts.createProgram([file], options)
  const checker = program.getTypeChecker()
  const source = program.getSourceFile(file)
  const module = source && checker.getSymbolAtLocation(source)
  const engagement = module && checker.getExportsOfModule(module).find(({ name }) => name === "Engagement")
  if (engagement === undefined) throw new Error(`${file} declares no Engagement.`)
  return listWithin(checker, checker.getDeclaredTypeOfSymbol(engagement), "")
}

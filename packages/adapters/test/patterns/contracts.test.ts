import { patternsContract } from "@hearth/testing/contracts"
import { re2Patterns } from "../../src/patterns/index.ts"

patternsContract("re2js", re2Patterns)

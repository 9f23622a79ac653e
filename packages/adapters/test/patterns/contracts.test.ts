import { patternsContract } from "@hearth/testing"
import { re2Patterns } from "../../src/patterns/index.ts"

patternsContract("re2js", re2Patterns)

import { secretBoxContract } from "../src/contracts/secret-box.contract.ts"
import { signaturesContract } from "../src/contracts/signatures.contract.ts"
import { memorySecretBox } from "../src/memory/secret-box.ts"
import { memorySignatures } from "../src/memory/signatures.ts"

secretBoxContract("memory", memorySecretBox)
signaturesContract("memory", memorySignatures)

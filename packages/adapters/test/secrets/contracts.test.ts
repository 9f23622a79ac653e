import { hash } from "node:crypto"
import { secretBoxContract, signaturesContract } from "@hearth/testing/contracts"
import { Effect } from "effect"
import { aesSecretBox, loadSecretKeys, nodeSignatures } from "../../src/secrets/index.ts"

const keyNamed = (name: string) => hash("sha256", name, "base64")

secretBoxContract("AES-256-GCM", (names) => aesSecretBox(Effect.runSync(loadSecretKeys(names.map(keyNamed).join(",")))))

signaturesContract("node:crypto", nodeSignatures)

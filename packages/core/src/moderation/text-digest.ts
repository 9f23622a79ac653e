import type { Signatures } from "../ports/signatures.ts"
import type { WrittenText } from "./content.ts"

/** Tells texts apart: the same for the same texts and addresses. */
export const digestText = (signatures: Pick<Signatures, "sha256">, { texts, urls }: WrittenText): string =>
  signatures.sha256(new TextEncoder().encode(JSON.stringify([texts, urls])))

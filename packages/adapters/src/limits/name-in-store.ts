import { hash } from "node:crypto"
import { type Claim, nameCounter } from "@hearth/core/limits"

/** The name of a claim's counter in a store. Stores see no addresses, and a key of any length and with any characters fits. */
export const nameInStore = ({ key, limit }: Claim): string => nameCounter(hash("sha256", key, "base64url"), limit)

import { memoryStorage } from "@hearth/testing"
import { localHarness, localStorageContract, storageContract } from "@hearth/testing/contracts"

const open = async () => {
  const storage = memoryStorage()
  return { ...localHarness(storage), storage }
}

storageContract("memory", open)
localStorageContract("memory", open)

import { localHarness, localStorageContract, memoryStorage, storageContract } from "@hearth/testing"

const open = async () => {
  const storage = memoryStorage()
  return { ...localHarness(storage), storage }
}

storageContract("memory", open)
localStorageContract("memory", open)

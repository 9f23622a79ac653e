import { controlPlaneContract } from "../src/contracts/control-plane.contract.ts"
import { memoryControlPlane } from "../src/memory/control-plane.ts"

controlPlaneContract("memory", async () => {
  const control = memoryControlPlane()
  return {
    control,
    unreachable: async (isUnreachable) => control.unreachable(isUnreachable),
    close: async () => {},
  }
})

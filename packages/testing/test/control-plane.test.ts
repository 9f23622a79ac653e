import { controlPlaneContract } from "../src/contracts/control-plane.contract.ts"
import { memoryControlPlane } from "../src/memory/control-plane.ts"

controlPlaneContract("memory", async () => ({ control: memoryControlPlane(), close: async () => {} }))

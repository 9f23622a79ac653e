import type { Tour } from "../harness/tour.ts"
import { tourCampaigns } from "./tour-campaigns.ts"
import { tourDeliveries } from "./tour-deliveries.ts"
import { tourTokens } from "./tour-tokens.ts"

/** Devices, and what is sent to them. */
export const tour: Tour = async (tools) => {
  await tourTokens(tools)
  await tourCampaigns(tools)
  await tourDeliveries(tools)
}

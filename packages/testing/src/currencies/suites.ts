import type { FeatureSuites } from "../contracts/feature-suites.ts"
import { pursesContract } from "./purses.contract.ts"
import { transactionsSectionContract, walletsSectionContract } from "./sections.contract.ts"
import { currenciesTable } from "./tables.ts"
import { verifyContract } from "./verify.contract.ts"
import { walletsContract } from "./wallets.contract.ts"

/** What every adapter promises about currencies. */
export const currenciesSuites: FeatureSuites = {
  tenant: [
    currenciesTable,
    pursesContract,
    walletsContract,
    verifyContract,
    walletsSectionContract,
    transactionsSectionContract,
  ],
}

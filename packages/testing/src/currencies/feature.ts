import type { CurrenciesDb } from "@hearth/core/currencies"
import type { TenantFeature } from "../feature.ts"
import { memoryCurrencies, memoryPurses } from "./memory.ts"
import { currencyShape, purseShape, transactionShape, walletShape } from "./memory-shapes.ts"
import { memoryWallets } from "./memory-wallets.ts"
import { pursesContract } from "./purses.contract.ts"
import { transactionsSectionContract, walletsSectionContract } from "./sections.contract.ts"
import { currenciesTable } from "./tables.ts"
import { verifyContract } from "./verify.contract.ts"
import { walletsContract } from "./wallets.contract.ts"

/** Currencies in tests. */
export const currenciesFeature: TenantFeature<CurrenciesDb> = {
  tenant: {
    shapes: [currencyShape, purseShape, walletShape, transactionShape],
    sections: { wallets: walletShape, currency_transactions: transactionShape },
    make: ({ statements }) => ({
      currencies: memoryCurrencies(statements),
      purses: memoryPurses(statements),
      wallets: memoryWallets(statements),
    }),
    contracts: [
      currenciesTable,
      pursesContract,
      walletsContract,
      verifyContract,
      walletsSectionContract,
      transactionsSectionContract,
    ],
  },
}

import { mailerContract, troubledMailerContract } from "../src/contracts/mailer.contract.ts"
import { memoryMailer } from "../src/memory/mailer.ts"

const harness = () => {
  const mailer = memoryMailer()
  return {
    mailer,
    arrived: () => mailer.sent.map(({ to, ...parts }) => ({ recipients: [to], ...parts })),
    close: async () => {},
    begin: async () => mailer.failing(true),
    end: async () => mailer.failing(false),
  }
}

mailerContract("memory", harness)
troubledMailerContract("memory, made to fail", harness)

import { failingMailerContract, mailerContract } from "../src/contracts/mailer.contract.ts"
import { memoryMailer } from "../src/memory/mailer.ts"

const harness = () => {
  const mailer = memoryMailer()
  return {
    mailer,
    arrived: () => mailer.sent.map(({ to, ...parts }) => ({ recipients: [to], ...parts })),
    close: async () => {},
    startFailing: async () => mailer.failing(true),
    stopFailing: async () => mailer.failing(false),
  }
}

mailerContract("memory", harness)
failingMailerContract("memory, made to fail", harness)

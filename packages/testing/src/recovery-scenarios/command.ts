// recovery-scenarios/command.ts: the programs that the command recovery meets in its contract.
import { checkFixture } from '../checks/check-fixture.ts'
import { expects, neverAnswers, type OutboundScenarios } from '../outbound-contract/scenarios.ts'

const secret = 'argument-that-nobody-may-see'

export async function commandScenarios(): Promise<OutboundScenarios> {
  const program = (...programArguments: string[]) => ({
    argv: ['/bin/sh', '-c', ...programArguments, secret],
  })
  const fixture = checkFixture()
  return {
    network: fixture.network,
    credentials: new Map(),
    secrets: [secret],
    peers: {
      accepting: expects('accepted', program('exit 0')),
      rejecting: expects('rejected', program(`echo ${secret} >&2; exit 3`)),
      refusing: expects('rejected', { argv: ['/nonexistent/program', secret] }),
      'not executable': expects('rejected', { argv: ['/etc/passwd', secret] }),
      'with a NUL': expects('rejected', { argv: ['/bin/true', 'a\0b'] }),
      silent: neverAnswers('unknown', program('sleep 60')),
      'silent in a child of its own': neverAnswers('unknown', program('sleep 60 & wait')),
      cutting: expects('unknown', program('kill -9 $$')),
      'full of words': expects('accepted', program('head -c 5000000 /dev/zero')),
    },
    attempts: () => 0,
    openConnections: () => 0,
    async [Symbol.asyncDispose]() {
      fixture[Symbol.dispose]()
    },
  }
}

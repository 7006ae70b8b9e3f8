// recovery/contract.ts: what every recovery promises, whatever it acts on: the clauses of
// outbound-contract/clauses.ts, and a key for its target. recoveryFindings returns sentences about what is
// broken, so that tests can show that the suite fails; recoveryContracts turns it into tests.
import type { RecoveryDriver } from '@pulseward/server/internal/recovery/driver.ts'
import { runRecovery } from '@pulseward/server/internal/recovery/runner.ts'
import { type Clause, configInPlace, outboundClauses, type Subject } from '../outbound-contract/clauses.ts'
import { driverContracts } from '../outbound-contract/driver-contracts.ts'
import type { OutboundPeers } from '../outbound-contract/peers.ts'
import { intervention } from './intervention.ts'

export type StartRecoveryPeers = () => Promise<OutboundPeers>

const requiredPeers = ['accepting', 'rejecting', 'refusing', 'silent', 'cutting']

type RecoveryClause = (driver: RecoveryDriver, peers: OutboundPeers) => Promise<string[]>

const ofSubject = (clause: Clause): RecoveryClause => {
  return async (driver, peers) => clause(subjectOf(driver), peers)
}

const clauses: Readonly<Record<string, RecoveryClause>> = {
  ...Object.fromEntries(
    Object.entries(outboundClauses).map(([promise, clause]) => [promise, ofSubject(clause)] as const),
  ),
  'tells targets apart by their key': tellsTargetsApart,
}

/** Tests the recoveries of a registry. */
export function recoveryContracts(
  registry: Readonly<Record<string, RecoveryDriver>>,
  room: string,
): Promise<void> {
  return driverContracts({ noun: 'recovery', registry, room, clauses })
}

/** The first promise that the driver breaks, in words; empty if it keeps its contract. */
export async function recoveryFindings(driver: RecoveryDriver, start: StartRecoveryPeers): Promise<string[]> {
  await using peers = await start()
  for (const clause of Object.values(clauses)) {
    const findings = await clause(driver, peers)
    if (findings.length > 0) return findings
  }
  return []
}

function subjectOf(driver: RecoveryDriver): Subject {
  return {
    summary: driver.summary,
    config: driver.config,
    requiredPeers,
    target: (config) => driver.target(config),
    run: (config, network, timeoutMs) =>
      runRecovery({ driver, config, intervention, timeoutMs, secrets: [] }, { network, allowCommand: true }),
  }
}

async function tellsTargetsApart(driver: RecoveryDriver, peers: OutboundPeers): Promise<string[]> {
  const subject = subjectOf(driver)
  const keyOf = (peer: string): string =>
    driver.targetKey(configInPlace(subject, peers, peers.encounters[peer]!))
  const [key, again, other] = ['accepting', 'accepting', 'rejecting'].map(keyOf)
  const findings: string[] = []
  if (key !== again) findings.push('has two keys for one target')
  if (key === other) findings.push('has one key for two targets')
  return findings
}

// check-scenarios/index.ts: what each driver of the registry meets in its contract, by the name of the check.
import type { StartScenarios } from '../check-contract/scenarios.ts'
import { dnsScenarios } from './dns.ts'
import { httpScenarios } from './http.ts'
import { icmpScenarios } from './icmp.ts'
import { tcpScenarios } from './tcp.ts'

export const checkScenarios: Readonly<Record<string, StartScenarios>> = {
  http: httpScenarios,
  tcp: tcpScenarios,
  dns: dnsScenarios,
  icmp: icmpScenarios,
}

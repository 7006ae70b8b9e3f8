// editions/troubled-fleet.ts: a fleet with everything that an answer can show: all statuses, actions of every
// outcome, warnings, suppression, maintenance, and names and targets that look like markup or secrets.
import { accepted } from '@pulseward/server/internal/platform/action-outcome.ts'
import { endpoints, http, TestService } from '../engine/test-service.ts'

const toOps = { red: { endpoints: ['ops'] }, yellow: { endpoints: ['ops'] }, green: { endpoints: ['dead'] } }
const recovery = { type: 'webhook', settle: '1s', config: { url: 'http://runbooks.test/restart?key=hush' } }

export const markup = '<img src=x onerror=alert(1)>"\'&\u202e'

const monitors = [
  { ...http('up'), tags: ['web'] },
  { ...http('broken'), name: markup, tags: [markup, 'web'], notify: toOps },
  { ...http('behind'), depends_on: ['broken'] },
  { ...http('healed'), recovery, notify: { cyan: { endpoints: ['ops'] } } },
  { ...http('doubtful'), recovery, notify: toOps },
  { ...http('warned'), notify: toOps },
  { ...http('failing'), check: { ...http('failing').check, unhealthy_threshold: 1_000 } },
  { ...http('off'), enabled: false },
  { ...http('cared-for'), maintenance: [{ start: '2025-12-31T00:00:00Z', end: '2026-02-01T00:00:00Z' }] },
  {
    ...http('shy'),
    check: { type: 'http', interval: '1h', config: { url: 'http://user:hush@shy.test/path?key=hush#hush' } },
  },
]

/** Ends with actions of unknown outcome, a monitor that is verifying, one that is suppressed, and a dead destination. */
export async function troubledFleet(): Promise<TestService> {
  const service = await TestService.start({ monitors, head: endpoints('ops', 'dead') })
  service.providers.outcomeOf = ({ endpoint }) =>
    endpoint === 'dead' ? { kind: 'gone', reason: 'HTTP 410' } : accepted()
  await service.advance({ seconds: 11 })
  for (const id of ['broken', 'behind', 'failing', 'doubtful'])
    service.target(id).goesDown(`HTTP 503 ${markup}`)
  service.target('warned').warns('the certificate ends soon')
  service.providers.latencyMs = 3_600_000
  await service.advance({ seconds: 22 })
  // The kill hits notifications in flight, so their outcome stays unknown.
  await service.restart()
  service.providers.latencyMs = 20
  await service.advance({ seconds: 60 })
  for (const id of ['broken', 'behind']) service.target(id).comesBack()
  await service.advance({ seconds: 40 })
  for (const id of ['broken', 'behind']) service.target(id).goesDown(`HTTP 503 ${markup}`)
  service.target('healed').goesDown()
  service.providers.recoveryOutcomeOf = () => {
    service.target('healed').comesBack()
    return { kind: 'accepted' }
  }
  await service.advance({ seconds: 34 })
  return service
}

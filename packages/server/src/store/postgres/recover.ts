// store/postgres/recover.ts: reads what the next process continues with. All of it is read by the run that has the store,
// so nothing changes meanwhile.
import type { Instant } from '../../deciding/health/health.ts'
import { escalationOf, type KeptEscalation } from '../escalation-rows.ts'
import { executionOf } from '../execution-rows.ts'
import { pushOf } from '../push.ts'
import { inForce, type KeptRevisionRow, revisionOf } from '../revision.ts'
import { actionOf, destinationsOf, healthOf, sloOf } from '../rows.ts'
import type { Recovered, StoredBlock, StoredIdentity } from '../store.ts'
import type { ReadingPool } from './reading-pool.ts'
import { changedMonitors, presentMonitors, readOthers } from './resource-queries.ts'
import { openBlockOf } from './trend-round.ts'

const identitiesAtOnce = 4_096

interface Body {
  readonly body: string
}

interface HeadRow {
  readonly position: number
  readonly highestNumericId: number
  readonly committedAt: number | null
  readonly keepsUntil: number | null
  readonly restoredAt: number | null
  readonly epoch: number
  readonly restores: string
  readonly lastChange: number
  readonly lastOperation: number
}

export async function recoverFrom(pool: ReadingPool, changedSince: Instant): Promise<Recovered> {
  const [
    head,
    figures,
    blocks,
    states,
    pushes,
    escalations,
    revisions,
    actions,
    executions,
    trends,
    resources,
  ] = await Promise.all([
    pool.one<HeadRow>(`
      SELECT position, highest_numeric_id AS "highestNumericId", committed_at AS "committedAt",
        keeps_until AS "keepsUntil", restored_at AS "restoredAt", epoch, restores, last_change AS "lastChange",
        greatest((SELECT coalesce(max(id), 0) FROM operation), (SELECT coalesce(max(id), 0) FROM bulk)) AS "lastOperation"
      FROM head`),
    pool.query<Body & { name: string }>('SELECT name, body FROM figure'),
    pool.query<StoredBlock>('SELECT block, bytes FROM counter_block ORDER BY block'),
    pool.query<Body & { numericId: number }>(
      'SELECT numeric_id AS "numericId", body FROM state ORDER BY numeric_id',
    ),
    pool.query<Body & { numericId: number }>(
      'SELECT numeric_id AS "numericId", body FROM push ORDER BY numeric_id',
    ),
    pool.query<KeptEscalation>('SELECT key, body FROM escalation ORDER BY key'),
    pool.query<KeptRevisionRow>(
      'SELECT kind, id, until, body FROM revision WHERE until = $1 ORDER BY kind, id',
      [inForce],
    ),
    pool.query<Body>(
      `SELECT body FROM action WHERE number IN (
         SELECT number FROM action WHERE unsettled > 0 UNION SELECT number FROM action WHERE changed_at >= $1)
       ORDER BY number`,
      [changedSince],
    ),
    pool.query<Body>('SELECT body FROM execution WHERE forget_at IS NULL ORDER BY id'),
    pool.query<{ level: number; block: number; cell: number; bytes: Uint8Array }>(
      'SELECT level, block, cell, bytes FROM trend_open ORDER BY level, block',
    ),
    readOthers(pool),
  ])
  const { committedAt, keepsUntil, restoredAt, restores, ...counts } = head!
  const figure = (name: string) => figures.find((one) => one.name === name)?.body ?? null
  const slo = figure('slo')
  const destinations = figure('destinations')
  return {
    ...counts,
    retention: { seenAt: committedAt, keepsUntil },
    restoredFrom: restoredAt === null || committedAt === null ? null : { backupAt: committedAt },
    restores: JSON.parse(restores),
    identities: identities(pool),
    blocks,
    states: states.map(({ numericId, body }) => ({ numericId, health: healthOf(body) })),
    pushes: pushes.map(({ numericId, body }) => ({ numericId, push: pushOf(body) })),
    escalations: escalations.map(escalationOf),
    revisions: revisions.map(revisionOf),
    actions: actions.map(({ body }) => actionOf(body)),
    slo: slo === null ? null : sloOf(slo),
    destinations: destinations === null ? [] : destinationsOf(destinations),
    executions: executions.map(({ body }) => executionOf(body)),
    trends: trends.map(openBlockOf),
    resources,
    monitors: presentMonitors(pool),
    changedMonitors: (sinceChange) => changedMonitors(pool, sinceChange),
  }
}

type IdentityRow = Omit<StoredIdentity, 'controlsBefore'> & { readonly controlsBefore: number | null }

async function* identities(pool: ReadingPool): AsyncIterable<readonly StoredIdentity[]> {
  for (let after: number | null = -1; after !== null; ) {
    const rows: IdentityRow[] = await pool.query(
      `SELECT numeric_id AS "numericId", monitor_id AS "monitorId", revision, fingerprint,
         check_fingerprint AS "checkFingerprint", removed_at AS "removedAt", controls_before AS "controlsBefore"
       FROM identity WHERE numeric_id > $1 ORDER BY numeric_id LIMIT ${identitiesAtOnce}`,
      [after],
    )
    after = rows.length < identitiesAtOnce ? null : rows.at(-1)!.numericId
    if (rows.length > 0)
      yield rows.map(({ controlsBefore, ...rest }) =>
        controlsBefore === null ? rest : { ...rest, controlsBefore },
      )
  }
}

// store/postgres/trend-queries.ts: what the rules of trends ask the store for.
import type { NumberedCell, TrendQuery, TrendsQuery } from '../trend.ts'
import type { Query } from './commit-line.ts'
import { KeptTrends, type TrendQueries, trendRound } from './trend-round.ts'

export function trendQueries(query: Query): TrendQueries {
  return {
    rows: (level, keys) =>
      query('SELECT key, bytes FROM trend WHERE level = $1 AND key = ANY ($2::bigint[])', [level, keys]),
    async firstFrom(level, key) {
      const [first] = await query<{ key: number }>(
        'SELECT key FROM trend WHERE level = $1 AND key >= $2 ORDER BY key LIMIT 1',
        [level, key],
      )
      return first?.key ?? null
    },
    async countBelow(level, key, atMost) {
      const [found] = await query<{ count: number }>(
        'SELECT count(*) FROM (SELECT FROM trend WHERE level = $1 AND key < $2 LIMIT $3) AS expired',
        [level, key, atMost],
      )
      return found!.count
    },
    async open(level, block) {
      const [found] = await query<{ cell: number; bytes: Uint8Array }>(
        'SELECT cell, bytes FROM trend_open WHERE level = $1 AND block = $2',
        [level, block],
      )
      return found ?? null
    },
  }
}

export async function readTrend(query: Query, asked: TrendQuery): Promise<readonly NumberedCell[]> {
  return (await trendRound(new KeptTrends(), trendQueries(query), (keeping) => keeping.read(asked))).result
}

export async function readTrends(
  query: Query,
  asked: TrendsQuery,
): Promise<readonly (readonly NumberedCell[])[]> {
  return (await trendRound(new KeptTrends(), trendQueries(query), (keeping) => keeping.readMany(asked)))
    .result
}

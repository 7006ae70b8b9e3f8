// store/postgres/shared-access.ts: principals and sessions in PostgreSQL. Principals are one text, in the format of the
// principals file, which is replaced only if it is what the writer has read.
import type { SharedPrincipals, StoredSession } from '../shared-access.ts'
import { type Query, takenOver } from './commit-line.ts'

const principalsName = 'principals'

export function principalsBy(read: Query, write: Query): SharedPrincipals {
  return {
    async newerThan(known) {
      const [found] = await read<{ body: string }>(
        'SELECT body FROM document WHERE name = $1 AND ($2::text IS NULL OR md5(body) <> md5($2))',
        [principalsName, known],
      )
      return found?.body ?? null
    },
    async replace(before, text) {
      const replaced =
        before === null
          ? await write(
              'INSERT INTO document (name, body) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING name',
              [principalsName, text],
            )
          : await write('UPDATE document SET body = $2 WHERE name = $1 AND body = $3 RETURNING name', [
              ...[principalsName, text, before],
            ])
      return replaced.length > 0
    },
  }
}

export async function readSessions(query: Query): Promise<readonly StoredSession[]> {
  return await query<StoredSession>(
    'SELECT key, digest, opened_at AS "openedAt" FROM session ORDER BY opened_at, key',
    [],
  )
}

export async function changeSessions(
  query: Query,
  run: string,
  opened: readonly StoredSession[],
  ended: readonly string[],
): Promise<void> {
  const [answer] = await query<{ changed: boolean }>(
    'SELECT change_sessions($1, $2, $3, $4, $5) AS changed',
    [
      run,
      opened.map(({ key }) => key),
      opened.map(({ digest }) => digest),
      opened.map(({ openedAt }) => openedAt),
      ended,
    ],
  )
  if (!answer!.changed) throw takenOver()
}

// store/sqlite/separate-statements.ts: moves the statements of workers out of the execution records. These
// were read and written as a whole with every further statement, up to 64 MiB of them. A small record without
// late evidence stays as it is: its superfluous fields are ignored, and are removed with it.
import type { DatabaseSync } from 'node:sqlite'
import { checksum } from './checksum.ts'
import { makeStatementTable, StatementTable } from './statement-table.ts'

interface Said {
  readonly evidence: readonly string[]
  readonly diagnostic: string | null
  readonly data: unknown
}

interface EarlierRecord {
  readonly id: string
  readonly end: {
    readonly report: (Said & { readonly digest: string; readonly status: string }) | null
  } | null
  readonly late: readonly (Said & { readonly id: string })[]
}

const smallBytes = 4_096

export function separateStatements(database: DatabaseSync): void {
  makeStatementTable(database)
  const statements = new StatementTable(database)
  const read = database.prepare('SELECT id_hash AS hash, sum, body FROM execution WHERE id = ?')
  const write = database.prepare('UPDATE execution SET sum = ?, body = ? WHERE id = ?')
  const large = database.prepare(
    `SELECT id FROM execution WHERE octet_length(body) > ${smallBytes} OR body NOT LIKE '%"late":[]}'`,
  )
  for (const { id } of large.all()) {
    const { hash, sum, body } = read.get(String(id)) as { hash: number; sum: number; body: string }
    // A damaged record is left as it is, to be detected as such.
    if (checksum(hash, body) !== sum) continue
    const { record, said } = separated(JSON.parse(body))
    statements.write(said)
    const text = JSON.stringify(record)
    write.run(checksum(hash, text), text, String(id))
  }
}

function separated({ id: executionId, end, late, ...rest }: EarlierRecord) {
  const report = end?.report ?? null
  const pieces = late.map((piece) => ({ piece, body: textOf(piece) }))
  const said = pieces.map(({ piece: { id }, body }) => ({ executionId, id, body }))
  if (report !== null) said.push({ executionId, id: 'report', body: textOf(report) })
  const heads = pieces.map(({ piece: { evidence: _, diagnostic: __, data: ___, ...head }, body }) => ({
    ...head,
    bytes: Buffer.byteLength(body),
  }))
  const shortened = report === null ? null : { digest: report.digest, status: report.status }
  const record = {
    id: executionId,
    ...rest,
    end: end === null ? null : { ...end, report: shortened },
    late: heads,
  }
  return { record, said }
}

function textOf({ evidence, diagnostic, data }: Said): string {
  return JSON.stringify({ evidence, diagnostic, data })
}

// bench/peer-table.ts: the contenders of `bench peers` in one table, and which part of their work was not done.
import type { PeerFigures } from './peer-run.ts'

/** Share of the checks that were due. With fewer, the cost per check is that of another load. */
const leastDoneShare = 0.9

export function peerTable(rows: readonly PeerFigures[]): string {
  const cells = rows.map((row) => [
    row.name,
    shown(row.checks, 0),
    shown(row.cpu_us_per_check, 0),
    shown(row.rss_bytes === null ? null : row.rss_bytes / 2 ** 20, 0),
    shown(row.all_checked_seconds, 1),
  ])
  const lines = [['', 'checks', 'µs per check', 'RSS, MiB', 'all checked, s'], ...cells]
  return lines
    .map(([name = '', ...figures]) => name.padEnd(20) + figures.map((cell) => cell.padStart(16)).join(''))
    .join('\n')
}

export function undoneByPeers(rows: readonly PeerFigures[], monitors: number): string[] {
  return rows.flatMap((row) => {
    const { name, all_checked_seconds, monitors_checked, checks, checks_due } = row
    if (all_checked_seconds === null)
      return [
        `${name} checked ${shown(monitors_checked, 0)} of ${shown(monitors, 0)} monitors before it was given up.`,
      ]
    if (checks === null || checks_due === null) return [`${name} ended before it was measured.`]
    if (checks >= checks_due * leastDoneShare && checks > 0) return []
    return [`${name} did ${shown(checks, 0)} of the ${shown(checks_due, 0)} checks that were due.`]
  })
}

function shown(value: number | null, digits: number): string {
  if (value === null) return '–'
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

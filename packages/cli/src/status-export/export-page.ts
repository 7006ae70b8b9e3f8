// status-export/export-page.ts: copies a status page once, or again and again until it is stopped.
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { UsageError } from '@pulseward/server'
import { lastValue, type ParsedArguments } from '../arguments.ts'
import { durationFlag, switchValue } from '../client/flag-values.ts'
import type { Session } from '../client/session.ts'
import { CopyError, PageCopy } from './page-copy.ts'

const usualEveryMs = 15_000
const longest = { ms: 3_600_000, words: '1h' }
/** So many tries that fail make the page say that it is not up to date. */
const triesUntilStale = 4

export async function exportPage(parsed: ParsedArguments, session: Session): Promise<number> {
  const [, page, folder, unexpected] = parsed.operands
  if (page === undefined || folder === undefined)
    throw new UsageError('Name a page and a folder: pulseward status export PAGE DIR.')
  if (unexpected !== undefined) throw new UsageError(`"${unexpected}" is not expected here.`)
  if (session.server.includes(','))
    throw new UsageError('A page is copied from one service: give --server one address.')
  const url = new URL(`/status/${encodeURIComponent(page)}/`, session.server).href
  const tokenFile = lastValue(parsed, 'page-token-file')
  const copy = new PageCopy(url, folder, tokenFile === null ? null : readToken(tokenFile))
  if (switchValue(parsed, 'watch')) return keepFresh(copy, parsed, session)
  try {
    session.say(`Files written: ${await copy.refresh(session.signal)}.`)
    return 0
  } catch (error) {
    return told(error, session)
  }
}

function readToken(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new UsageError(`--page-token-file: ${file} cannot be read (${code}).`)
  }
}

async function keepFresh(copy: PageCopy, parsed: ParsedArguments, session: Session): Promise<number> {
  const everyMs = durationFlag(parsed, 'every', longest)?.ms ?? usualEveryMs
  const { signal } = session
  let reachedAtMs: number | null = null
  let failures = 0
  while (!signal.aborted) {
    try {
      await copy.refresh(signal)
      if (failures > 0 || reachedAtMs === null) session.say('The page is up to date, and is kept so.')
      reachedAtMs = session.terminal.nowMs()
      failures = 0
    } catch (error) {
      if (signal.aborted) break
      if (++failures === 1) told(error, session)
      // Never reached: the words of the command are wrong, or the service is not there.
      if (reachedAtMs === null) return 3
      if (failures >= triesUntilStale) await copy.markStale(reachedAtMs)
    }
    await pause(everyMs, undefined, { signal }).catch(() => {})
  }
  return 0
}

function told(error: unknown, session: Session): number {
  if (!(error instanceof CopyError)) throw error
  session.say(error.message)
  return 3
}

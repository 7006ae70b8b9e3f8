import { describe, expect, it } from 'vitest'
import type { Terminal } from '../terminal.ts'
import { Progress } from './progress.ts'

function shownOn(columns: number | null) {
  const clock = { nowMs: 0 }
  let text = ''
  const stderr = {
    isTerminal: columns !== null,
    columns,
    rows: null,
    isClosed: false,
    write: (chunk: string | Uint8Array) => {
      text += chunk
      return true
    },
  }
  const progress = new Progress({ stderr } as unknown as Terminal, () => clock.nowMs)
  return { progress, clock, written: () => text, lastLine: () => text.split('\r\u001b[K').at(-1) }
}

describe('progress', () => {
  it('on a terminal shows a bar, the rate and the remaining time, and leaves nothing behind', () => {
    const { progress, clock, lastLine, written } = shownOn(80)
    progress.show('uploading', 0, 1_000)
    expect(lastLine()).toBe('uploading ░░░░░░░░░░░░░░░░░░░░░░░░ 0/1000')
    clock.nowMs = 2_000
    progress.show('uploading', 250, 1_000)
    expect(lastLine()).toBe('uploading ██████░░░░░░░░░░░░░░░░░░ 250/1000, 125/s, 6s left')
    clock.nowMs = 8_000
    progress.show('uploading', 1_000, 1_000)
    expect(lastLine()).toBe('uploading ████████████████████████ 1000/1000, 125/s')
    progress[Symbol.dispose]()
    expect(written().endsWith('\r\u001b[K')).toBe(true)
  })

  it('counts the rate from where it began, for what goes on with an earlier upload', () => {
    const { progress, clock, lastLine } = shownOn(80)
    progress.show('uploading', 900_000, 1_000_000)
    clock.nowMs = 10_000
    progress.show('uploading', 910_000, 1_000_000)
    expect(lastLine()).toContain('910000/1000000, 1000/s, 1m 30s left')
  })

  it('tells for how long something runs whose end is not known', () => {
    const { progress, clock, lastLine } = shownOn(80)
    progress.show('validating', null, 5)
    clock.nowMs = 3_000
    progress.show('validating', null, 5)
    expect(lastLine()).toBe('validating 5 items, for 3s')
  })

  it('never is wider than the terminal', () => {
    const { progress, lastLine } = shownOn(20)
    progress.show('uploading', 1, 1_000_000)
    expect(lastLine()?.length).toBe(19)
  })

  it('elsewhere writes a plain line every ten seconds, and none for what is done soon', () => {
    const { progress, clock, written } = shownOn(null)
    for (const seconds of [0, 3, 6, 9]) {
      clock.nowMs = seconds * 1_000
      progress.show('uploading', seconds * 10, 10_000)
    }
    expect(written()).toBe('')
    for (const seconds of [10, 15, 20]) {
      clock.nowMs = seconds * 1_000
      progress.show('uploading', seconds * 10, 10_000)
    }
    progress[Symbol.dispose]()
    expect(written()).toBe(
      'uploading 100/10000, 10/s, 16m 30s left\nuploading 200/10000, 10/s, 16m 20s left\n',
    )
  })
})

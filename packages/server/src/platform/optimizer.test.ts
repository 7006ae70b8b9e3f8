import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { WorkWatch } from './optimizer.ts'

it('is not at work while a small fleet starts and rests', () => {
  const watch = new WorkWatch({ cpuMs: 100, nowMs: 0 })
  for (let nowMs = 100; nowMs < 5_000; nowMs += 100)
    expect(watch.isAtWork({ cpuMs: Math.min(900, nowMs), nowMs })).toBe(false)
  for (let nowMs = 5_000; nowMs < 60_000; nowMs += 1_000)
    expect(watch.isAtWork({ cpuMs: 900 + nowMs * 0.005, nowMs })).toBe(false)
})

it('is at work when the start takes more than a small fleet does', () => {
  const watch = new WorkWatch({ cpuMs: 100, nowMs: 0 })
  expect(watch.isAtWork({ cpuMs: 1_400, nowMs: 1_000 })).toBe(false)
  expect(watch.isAtWork({ cpuMs: 1_600, nowMs: 1_100 })).toBe(true)
})

it('is at work with one hundredth of a processor, over five seconds', () => {
  const watch = new WorkWatch({ cpuMs: 100, nowMs: 0 })
  expect(watch.isAtWork({ cpuMs: 500, nowMs: 4_000 })).toBe(false)
  expect(watch.isAtWork({ cpuMs: 800, nowMs: 8_000 })).toBe(false)
  expect(watch.isAtWork({ cpuMs: 800, nowMs: 9_000 })).toBe(true)
})

it('lets hot code become as fast as it is without it', () => {
  const program = `
    const { HeldOptimizer } = await import(${JSON.stringify(join(import.meta.dirname, 'optimizer.ts'))})
    const work = () => { let sum = 0; for (let i = 0; i < 30_000_000; i++) sum = (sum * 31 + i) | 0; return sum }
    const cpuMs = () => { const before = process.cpuUsage(); work(); return process.cpuUsage(before).user / 1000 }
    using optimizer = new HeldOptimizer()
    const heldMs = cpuMs()
    optimizer[Symbol.dispose]()
    console.log(heldMs / Math.min(cpuMs(), cpuMs(), cpuMs()))`
  const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  })
  expect(Number(printed)).toBeGreaterThan(2)
})

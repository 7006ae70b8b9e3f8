import { getPriority } from 'node:os'
import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'

const priorityAfter = (file: string) => `
  const { parentPort } = require('node:worker_threads')
  const { basename } = require('node:path')
  const { readlinkSync } = require('node:fs')
  const { getPriority } = require('node:os')
  import(${JSON.stringify(file)}).then(({ stepBack }) => {
    stepBack()
    parentPort.postMessage(getPriority(Number(basename(readlinkSync('/proc/thread-self')))))
  })`

it('steps back alone: the process keeps its priority', async ({ skip }) => {
  skip(process.platform !== 'linux', 'only Linux gives each thread a priority of its own')
  const before = getPriority()
  const file = new URL('thread-priority.ts', import.meta.url).href
  const worker = new Worker(priorityAfter(file), { eval: true })
  const priority = await new Promise((resolve, reject) => worker.on('message', resolve).on('error', reject))
  expect(priority).toBe(Math.min(19, before + 3))
  expect(getPriority()).toBe(before)
})

// A recovery worker: restarts a systemd unit on its own machine. RESTART_UNITS lists the units that it may
// restart, separated by commas; RESTART_COMMAND is `systemctl restart` by default.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { completed, createWorker, recovery, rejected, unknown } from '@pulseward/worker'
import { fromEnvironment } from './from-environment.ts'

const { RESTART_UNITS: units = '', RESTART_COMMAND: restart = 'systemctl restart' } = process.env
const mayRestart = new Set(units.split(',').filter((unit) => unit !== ''))
const [program = '', ...words] = restart.split(' ')

const parameterSchema = {
  type: 'object',
  required: ['unit'],
  properties: { unit: { type: 'string' } },
} as const
const rejectionCodes = ['unit_not_allowed', 'command_missing'] as const

const restartUnit = recovery({ parameterSchema, rejectionCodes, concurrency: 1 }, async (job, { signal }) => {
  const { unit } = job.parameters
  if (!mayRestart.has(unit)) return rejected('unit_not_allowed', `This worker may not restart ${unit}.`)
  const child = spawn(program, [...words, '--', unit], { signal, stdio: 'ignore' })
  try {
    const [code, endedBy] = await once(child, 'exit')
    if (code === 0) return completed()
    // It may have stopped the unit without starting it again.
    return unknown(`${program} ended with ${code ?? endedBy}.`)
  } catch (error) {
    if (child.pid === undefined) return rejected('command_missing', `${program} cannot be run.`)
    throw error
  }
})

await createWorker({ ...fromEnvironment, handlers: { 'restart-unit@1': restartUnit } }).start()

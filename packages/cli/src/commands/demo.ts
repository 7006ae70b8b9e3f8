// commands/demo.ts: something to look at within seconds: the ordinary service over built-in targets that fail and recover
// by themselves. Touches nothing of the user's: fleet and data are temporary and removed at the end.
import { serve as runService, UsageError } from '@pulseward/server'
import { lastValue, type ParsedArguments } from '../arguments.ts'
import type { Command } from '../command.ts'
import { defaultWorld, isStoried } from '../demo/life.ts'
import { writePast } from '../demo/past.ts'
import { setStage } from '../demo/stage.ts'
import { followParent } from '../follow-parent.ts'
import { settingFlags, settingsFrom } from '../setting-flags.ts'

const mostMonitors = 1_000_000
const largestSeed = 0xffff_ffff

/** The demo sets these itself. */
const ownFlags = ['config', 'data', 'allow-empty', 'watch']

export const demo: Command = {
  summary: 'run it over a made-up fleet that fails and recovers',
  usage: '[--monitors N] [--seed N] [flags of serve]',
  flags: {
    monitors: {
      kind: 'value',
      valueName: 'N',
      summary: `How many monitors, up to ${mostMonitors}. Default ${defaultWorld.monitors}; large fleets are checked less often.`,
    },
    seed: {
      kind: 'value',
      valueName: 'N',
      summary: `The same number gives the same fleet and the same outages. Default ${defaultWorld.seed}.`,
    },
    ...Object.fromEntries(Object.entries(settingFlags).filter(([flag]) => !ownFlags.includes(flag))),
  },
  examples: ['pulseward demo', 'pulseward demo --monitors 100000 --listen 127.0.0.1:9000'],
  async run(parsed, { environment }) {
    if (parsed.operands.length > 0) throw new UsageError(`"${parsed.operands[0]}" is not expected here.`)
    const world = {
      monitors: wholeNumber(parsed, 'monitors', defaultWorld.monitors, 1, mostMonitors),
      seed: wholeNumber(parsed, 'seed', defaultWorld.seed, 0, largestSeed),
    }
    const settings = settingsFrom(parsed, environment)
    followParent(environment)
    await runService(
      settings,
      { ...environment },
      {
        async prepare(owned) {
          const stage = await setStage(world, owned)
          const { edition, store } = settings.values
          const keepsPast = isStoried(world) && edition !== 'main' && store === 'sqlite'
          if (keepsPast) await writePast(stage.dataFolder, world, stage.ports, Date.now())
          return {
            settings: {
              config: [stage.fleetFolder],
              data: stage.dataFolder,
              allow_empty: false,
              watch: false,
              // Its destinations and restarts are on this machine.
              'network.allow_loopback_notify': true,
            },
            lines: [
              ['Inbox', `${stage.inboxUrl} (what was sent)`],
              ...(keepsPast ? [['Past', 'a month, made up'] as const] : []),
            ],
          }
        },
      },
    )
    return 0
  },
}

function wholeNumber(
  parsed: ParsedArguments,
  flag: string,
  fallback: number,
  minimum: number,
  maximum: number,
): number {
  const text = lastValue(parsed, flag)
  if (text === null) return fallback
  const value = /^[0-9]{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (value >= minimum && value <= maximum) return value
  throw new UsageError(
    `--${flag}: "${text}" is not allowed here; use a whole number from ${minimum} to ${maximum}.`,
  )
}

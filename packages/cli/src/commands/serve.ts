// commands/serve.ts: runs the service until it is told to stop.
import { serve as runService, UsageError } from '@pulseward/server'
import { switchValue } from '../client/flag-values.ts'
import type { Command } from '../command.ts'
import { followParent } from '../follow-parent.ts'
import { settingFlags, settingsFrom } from '../setting-flags.ts'

export const serve: Command = {
  summary: 'run the service',
  usage: '--config PATH | --edition next [flags]',
  flags: {
    ...settingFlags,
    adopt: {
      kind: 'switch',
      summary:
        'Once: have v2 manage everything that the fleet files have, but their routes. Needs --edition next.',
    },
  },
  examples: [
    'pulseward serve --config fleet.yaml',
    'pulseward serve --config fleet/ --watch --listen 127.0.0.1:9000',
    'pulseward serve --edition next',
    'pulseward serve --edition next --config fleet.yaml --adopt',
  ],
  async run(parsed, { environment }) {
    const settings = settingsFrom(parsed, environment)
    const needsFleet = settings.values.edition !== 'next' && !settings.values.allow_empty
    if (settings.values.config.length === 0 && needsFleet) {
      throw new UsageError(
        'No fleet is given: pass --config PATH, or --allow-empty to start without monitors.',
      )
    }
    followParent(environment)
    await runService(settings, { ...environment }, { adopts: switchValue(parsed, 'adopt') })
    return 0
  },
}

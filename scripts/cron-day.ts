// scripts/cron-day.ts: lives through days of cron jobs whose clocks are changed, while the service is killed, suspended and
// its clock set, and accounts for every run. Exits with 1 if one was told wrongly, with the command that repeats it.
import { type CronDayName, cronDays, simulateCronDay } from '@pulseward/testing/push-simulation'
import { runCommand } from './command-line/command.ts'
import { wholeNumber } from './command-line/flags.ts'

const flags = {
  jobs: wholeNumber(1_000, 'cron jobs in five time zones'),
  hours: wholeNumber(24, 'simulated hours of each day'),
  seeds: wholeNumber(1, 'how many seeds are simulated for each day, from 1 on'),
  seed: wholeNumber(null, 'simulate this seed alone'),
}

const about =
  'Accounts for every run on days of cron jobs on which the clocks of five time zones are changed.'
await runCommand({ call: 'npm run tool -- cron-day', about, flags }, async ({ jobs, hours, seeds, seed }) => {
  const chosen = seed === null ? Array.from({ length: seeds }, (_, index) => index + 1) : [seed]
  for (const day of Object.keys(cronDays) as CronDayName[])
    for (const each of chosen) {
      const beganMs = performance.now()
      const { violations, ...end } = await simulateCronDay({ seed: each, day, jobs, hours })
      const counted = Object.entries(end).map(([name, count]) => `${name} ${count.toLocaleString('en-US')}`)
      const took = `${((performance.now() - beganMs) / 1_000).toFixed(0)} s`
      console.log(`${day}, seed ${each}: ${counted.join(', ')}, wrong ${violations.length} (${took})`)
      for (const violation of violations.slice(0, 10)) console.log(`  ✗ ${violation}`)
      if (violations.length === 0) continue
      console.log(`  npm run tool -- cron-day --seed ${each} --jobs ${jobs} --hours ${hours}`)
      process.exitCode = 1
    }
})

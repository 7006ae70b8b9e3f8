// scripts/failover.ts: `npm run failover` runs three services on one PostgreSQL under random faults, and checks that nothing
// is done twice, lost or left untold; and measures how long nobody checks after a kill and after a stop. Exits with 1 if
// something is wrong, and then keeps the data.
import { temporaryFolder } from '@pulseward/testing/files'
import { runCommand } from './command-line/command.ts'
import { UsageError, wholeNumber } from './command-line/flags.ts'

const flags = {
  faults: wholeNumber(200, 'how many faults; 0 measures only', 0),
  monitors: wholeNumber(60, 'monitors of the fleet under faults'),
  measured: wholeNumber(
    10_000,
    'monitors of the fleet with which a takeover is measured; 0 leaves that out',
    0,
  ),
  seed: wholeNumber(null, 'the seed of every random choice (another one in each run unless given)', 0),
}
const about =
  'Strikes three services on one PostgreSQL, and checks that nothing is done twice, lost or left untold.'

await runCommand({ call: 'npm run failover --', about, flags }, async (wanted) => {
  // Loads the service, which --help does not need.
  const { measureTakeover, runFailover } = await import('@pulseward/testing/failover')
  const { postgresPlace, postgresql, startPostgresql } = await import('@pulseward/testing/servers')
  const program = postgresql.find()
  if (program === null) throw new UsageError('PostgreSQL is not installed (apt-get install postgresql).')
  const seed = wanted.seed ?? Math.floor(Math.random() * 2 ** 32)
  const folder = temporaryFolder()
  await using database = await startPostgresql(program)
  const newPlace = () => {
    const place = postgresPlace(database)
    return { place, storeBy: (port: number) => place.url.replace(`:${database.port}/`, `:${port}/`) }
  }
  const { faults, monitors } = wanted
  const violations: string[] = []
  if (faults > 0) {
    const onFault = (words: string) => console.error(words)
    const report = await runFailover({ faults, monitors, seed, database, ...newPlace(), folder, onFault })
    const { violations: found, ...figures } = report
    violations.push(...found)
    print({ seed, ...figures })
  }
  if (wanted.measured > 0) {
    const { storeBy } = newPlace()
    print({ ...(await measureTakeover({ monitors: wanted.measured, database, storeBy, folder })) })
  }
  if (violations.length === 0) return folder[Symbol.dispose]()
  for (const words of violations.slice(0, 20)) console.error(`WRONG: ${words}`)
  console.error(`${violations.length} violations; the data are kept in ${folder.root}`)
  process.exitCode = 1
})

function print(figures: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(figures))
    console.error(`${name.padEnd(20)} ${Math.round(value)}`)
}

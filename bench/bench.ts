// bench/bench.ts: `npm run bench -- NAME [--flag value]`. A table for people on stderr, and one JSON object
// as the last line of stdout for machines. Exits with 1 if the measured work was not done.
import { refuse, runCommand } from '../scripts/command-line/command.ts'
import type { Benchmark } from './benchmark.ts'
import { benchmarks } from './benchmarks.ts'

const [name = '', ...typed] = process.argv.slice(2)
const benchmark = Object.hasOwn(benchmarks, name) ? benchmarks[name] : undefined
if (benchmark !== undefined) await runBenchmark(benchmark)
else if (name === '--help' || name === '-h') process.stdout.write(overview())
else if (name === '') refuse('No benchmark was named. Run it with --help to see them all.')
else refuse(`There is no benchmark “${name}”. Run it with --help to see them all.`)

async function runBenchmark({ about, flags, run }: Benchmark): Promise<void> {
  await runCommand(
    { call: `npm run bench -- ${name}`, about, flags },
    async (values) => {
      // On a signal a benchmark runs its exit handlers, so that it leaves no process and no file behind.
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
      const { figures, undone } = await run(values as never)
      for (const sentence of undone) console.error(`FAILED: ${sentence}`)
      console.log(JSON.stringify({ ...figures, undone }))
      if (undone.length > 0) process.exitCode = 1
    },
    typed,
  )
}

function overview(): string {
  const lines = Object.entries(benchmarks).map(([each, { about }]) => `  ${each.padEnd(10)} ${about}`)
  return `Usage: npm run bench -- NAME [--flag value]…

${lines.join('\n')}

npm run bench -- NAME --help lists the flags of one.
`
}

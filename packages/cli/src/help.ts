// help.ts: what `pulseward --help` and `pulseward NAME --help` print.
import type { FlagSpec } from './arguments.ts'
import type { Command } from './command.ts'

type Commands = Readonly<Record<string, Command>>

/** One line per command, in groups by what people want to do. */
export function overallHelp(groups: Readonly<Record<string, Commands>>): string {
  const names = Object.values(groups).flatMap((commands) => Object.keys(commands))
  const width = Math.max(...names.map((name) => name.length))
  const sections = Object.entries(groups).map(([title, commands]) => {
    const rows = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`)
    return `${title}:\n${rows.join('\n')}`
  })
  return `Pulseward watches a fleet of monitors.\n\nUsage: pulseward COMMAND [flags]\n\n${sections.join('\n\n')}\n\nEach command explains itself with --help.`
}

export function commandHelp(name: string, command: Command): string {
  const flags = Object.entries(command.flags).map(
    ([flag, spec]) => `  ${flagForm(flag, spec).padEnd(44)} ${spec.summary}`,
  )
  const examples = command.examples.map((example) => `  ${example}`)
  return `pulseward ${name}: ${command.summary}\n\nUsage: pulseward ${name} ${command.usage}\n\nFlags:\n${flags.join('\n')}\n\nExamples:\n${examples.join('\n')}`
}

function flagForm(flag: string, spec: FlagSpec): string {
  const short = spec.short === undefined ? '' : `-${spec.short}, `
  if (spec.kind === 'switch') return `${short}--${flag}`
  const value = valueForm(spec)
  return `${short}--${flag} ${spec.kind === 'optional' ? `[${value}]` : value}`
}

export function valueForm({ valueName, values }: FlagSpec): string {
  return valueName ?? values?.join('|') ?? 'VALUE'
}

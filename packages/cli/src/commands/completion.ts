// commands/completion.ts: prints a script with which a shell completes commands, their first words, flags and
// flag values. It is made from the table that runs the commands, and self-contained: it calls no service.
import { UsageError } from '@pulseward/server'
import type { FlagSpec } from '../arguments.ts'
import type { Command } from '../command.ts'

const shells = ['bash', 'zsh', 'fish'] as const

type Commands = Readonly<Record<string, Command>>

/** Loads the table of commands late, because this command is part of it. */
export function completionCommand(load: () => Promise<Commands>): Command {
  return {
    summary: 'print a completion script for bash, zsh or fish',
    usage: shells.join('|'),
    firstWords: shells,
    flags: {},
    examples: [
      'source <(pulseward completion bash)',
      'pulseward completion zsh > ~/.zfunc/_pulseward',
      'pulseward completion fish > ~/.config/fish/completions/pulseward.fish',
    ],
    async run({ operands }, { stdout }) {
      const [shell, ...others] = operands
      const known = shells.find((one) => one === shell)
      if (known === undefined || others.length > 0)
        throw new UsageError('Name one shell: pulseward completion bash|zsh|fish')
      stdout.write(scripts[known](await load()))
      return 0
    },
  }
}

const scripts: Readonly<Record<(typeof shells)[number], (commands: Commands) => string>> = { bash, zsh, fish }

function flagsOf({ flags }: Command): string[] {
  return [...Object.entries(flags).flatMap(([name, spec]) => formsOf(name, spec)), '--help']
}

function formsOf(name: string, { short }: FlagSpec): string[] {
  return short === undefined ? [`--${name}`] : [`--${name}`, `-${short}`]
}

/** Flags whose next word is a value; a path is offered if the values are not known. */
function valueFlagsOf(commands: Commands): string[] {
  const all = Object.values(commands).flatMap(({ flags }) =>
    Object.entries(flags).flatMap(([name, spec]) => (spec.kind === 'switch' ? [] : formsOf(name, spec))),
  )
  return [...new Set(all)]
}

/** The same flag may have different values in another command. */
function bashValueCases(commands: Commands): string[] {
  return Object.entries(commands).flatMap(([command, { flags }]) =>
    Object.entries(flags).flatMap(([name, spec]) => {
      if (spec.values === undefined) return []
      const patterns = formsOf(name, spec).map((form) => `'${command} ${form}'`)
      return [
        `    ${patterns.join('|')}) COMPREPLY=($(compgen -W '${spec.values.join(' ')}' -- "$current")); return ;;`,
      ]
    }),
  )
}

function bash(commands: Commands): string {
  const cases = Object.entries(commands).map(
    ([name, command]) =>
      `    ${name}) flags='${flagsOf(command).join(' ')}'; words='${(command.firstWords ?? []).join(' ')}' ;;`,
  )
  return `# bash completion for pulseward
_pulseward() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" flags='' words=''
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '${Object.keys(commands).join(' ')} help version' -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  # The = of --flag=value is a word of its own.
  if [ "$current" = '=' ]; then
    current=''
  elif [ "$before" = '=' ]; then
    before="\${COMP_WORDS[COMP_CWORD-2]}"
  fi
  case "\${COMP_WORDS[1]} $before" in
${bashValueCases(commands).join('\n')}
  esac
  case "$before" in
    ${valueFlagsOf(commands).join('|')}) COMPREPLY=($(compgen -f -- "$current")); return ;;
  esac
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$flags" -- "$current")) ;;
    *) if [ "$COMP_CWORD" -eq 2 ] && [ -n "$words" ]; then
         COMPREPLY=($(compgen -W "$words" -- "$current"))
       else
         COMPREPLY=($(compgen -f -- "$current"))
       fi ;;
  esac
}
complete -o filenames -F _pulseward pulseward
`
}

function zsh(commands: Commands): string {
  const described = Object.entries(commands).map(
    ([name, { summary }]) => `    ${quoted(`${name}:${summary}`)}`,
  )
  const cases = Object.entries(commands).map(([name, command]) => {
    const flags = Object.entries(command.flags).flatMap(([flag, spec]) => {
      // An = after the name makes zsh accept both --flag=value and --flag value.
      const mark = spec.kind === 'switch' ? '' : '='
      const summary = spec.summary.replaceAll(/[[\]]/g, '')
      return formsOf(flag, spec).map((form) =>
        quoted(`*${form}${form.startsWith('--') ? mark : ''}[${summary}]${zshValue(spec)}`),
      )
    })
    const words = (command.firstWords ?? []).join(' ')
    const operands = words === '' ? "'*:file:_files'" : `'1:what:(${words})' '*:file:_files'`
    return `    ${name}) _arguments ${[...flags, operands].join(' ')} ;;`
  })
  return `#compdef pulseward
# zsh completion for pulseward
_pulseward() {
  local -a commands
  commands=(
${described.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe 'command' commands
    return
  fi
  local command="$words[2]"
  shift words
  (( CURRENT-- ))
  case "$command" in
${cases.join('\n')}
  esac
}
_pulseward "$@"
`
}

function zshValue({ kind, valueName = 'value', values }: FlagSpec): string {
  if (kind === 'switch') return ''
  return `:${valueName.replaceAll(':', '')}:${values === undefined ? '_files' : `(${values.join(' ')})`}`
}

function fish(commands: Commands): string {
  const names = Object.keys(commands).join(' ')
  const lines = Object.entries(commands).flatMap(([name, { summary, flags, firstWords = [] }]) => {
    const here = `-n '__fish_seen_subcommand_from ${name}'`
    return [
      `complete -c pulseward -f -n 'not __fish_seen_subcommand_from ${names}' -a ${name} -d ${quoted(summary)}`,
      ...(firstWords.length === 0 ? [] : [`complete -c pulseward ${here} -a '${firstWords.join(' ')}'`]),
      ...Object.entries(flags).map(
        ([flag, spec]) =>
          `complete -c pulseward ${here} -l ${flag}${spec.short === undefined ? '' : ` -s ${spec.short}`}${fishValue(spec)} -d ${quoted(spec.summary)}`,
      ),
    ]
  })
  return `# fish completion for pulseward\n${lines.join('\n')}\n`
}

/** -x: a value is required, and no file is offered. */
function fishValue({ kind, values }: FlagSpec): string {
  if (kind === 'switch') return ''
  return values === undefined ? ' -r' : ` -x -a '${values.join(' ')}'`
}

/** Single-quoted for any of these shells. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", '’')}'`
}

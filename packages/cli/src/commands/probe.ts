// commands/probe.ts: runs a probe: this machine checks monitors of a location for a service elsewhere.
import { hostname } from 'node:os'
import { idMistake, resolveSettings, runProbe, type SettingKey, UsageError } from '@pulseward/server'
import { lastValue, type ParsedArguments } from '../arguments.ts'
import { isThisMachine } from '../client/local-token.ts'
import { targetFlags, targetFrom } from '../client/target.ts'
import { readClientToken } from '../client/token-file.ts'
import { trustOnly } from '../client/trust-only.ts'
import type { Command } from '../command.ts'
import { followParent } from '../follow-parent.ts'
import { settingFlags } from '../setting-flags.ts'
import type { Terminal } from '../terminal.ts'

export const probe: Command = {
  summary: 'check monitors from here for a service elsewhere',
  usage: '--server URL --token-file FILE --location ID [--name ID] [--threads N]',
  flags: {
    server: targetFlags['server']!,
    'token-file': targetFlags['token-file']!,
    'ca-file': targetFlags['ca-file']!,
    location: {
      kind: 'value',
      valueName: 'ID',
      summary: 'The location that this probe serves. (PULSEWARD_LOCATION)',
    },
    name: {
      kind: 'value',
      valueName: 'ID',
      summary: 'What people call this probe. Default the name of this machine. (PULSEWARD_PROBE_NAME)',
    },
    threads: {
      kind: 'value',
      valueName: 'N',
      summary: 'Threads that run checks. Default as many as the load needs, at most one per core.',
    },
    settings: settingFlags['settings']!,
    'log-level': settingFlags['log-level']!,
    'log-format': settingFlags['log-format']!,
  },
  examples: [
    'pulseward probe --server https://pulseward.example --token-file fra.token --location fra',
    'pulseward probe --server https://a.example,https://b.example --token-file fra.token --location fra --name fra-2',
  ],
  async run(parsed, terminal) {
    if (parsed.operands.length > 0) throw new UsageError(`"${parsed.operands[0]}" is not expected here.`)
    const { environment } = terminal
    const target = targetFrom(parsed, terminal)
    const servers = target.server.split(',').map(serverFrom)
    const location = idFrom(parsed, environment, 'location', 'PULSEWARD_LOCATION')
    if (location === null) throw new UsageError('Say which location this probe serves: --location ID.')
    const name = idFrom(parsed, environment, 'name', 'PULSEWARD_PROBE_NAME') ?? nameOfMachine()
    const token = await readClientToken(target.tokenFile, terminal)
    if (token === null)
      throw new UsageError(
        `A probe needs a token: make one where the service runs with pulseward token create ${name} --role probe --location ${location}, and pass --token-file.`,
      )
    if (target.caFile !== null) trustOnly(target.caFile)
    followParent(environment)
    const settings = settingsOfProbe(parsed, environment)
    await runProbe({ servers, token, location, name, settings, environment: { ...environment } })
    return 0
  },
}

function serverFrom(text: string): string {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.search !== '')
    throw new UsageError('--server must be an http or https URL without user, password, query and fragment.')
  if (url.protocol === 'http:' && !isThisMachine(text))
    throw new UsageError(`A token is not sent to ${url.origin} over plain HTTP; use https.`)
  return url.origin
}

function idFrom(
  parsed: ParsedArguments,
  environment: Terminal['environment'],
  flag: string,
  variable: string,
): string | null {
  const id = lastValue(parsed, flag) ?? (environment[variable] || null)
  const mistake = id === null ? null : idMistake(id)
  if (mistake !== null) throw new UsageError(`--${flag} ${mistake}.`)
  return id
}

/** Names of machines may have characters that ids do not. */
function nameOfMachine(): string {
  const name = hostname().replaceAll(/[^A-Za-z0-9._:-]/g, '-')
  return idMistake(name) === null ? name : 'probe'
}

/** The settings of this place: its network, its threads and its log. */
function settingsOfProbe(parsed: ParsedArguments, environment: Terminal['environment']) {
  const flags = new Map<SettingKey, readonly string[]>()
  const flagsOfSettings = [
    ['threads', 'probe_threads'],
    ['log-level', 'log.level'],
    ['log-format', 'log.format'],
  ] as const
  for (const [flag, key] of flagsOfSettings) {
    const value = lastValue(parsed, flag)
    if (value !== null) flags.set(key, [value])
  }
  const file = lastValue(parsed, 'settings') ?? (environment['PULSEWARD_SETTINGS'] || null)
  return resolveSettings({ flags, environment, file }).values
}

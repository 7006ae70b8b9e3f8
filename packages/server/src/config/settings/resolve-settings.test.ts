import { temporaryFolder } from '@pulseward/testing'
import { describe, expect, it } from 'vitest'
import { UsageError } from '../../platform/usage-error.ts'
import { mistakesOf } from '../shape/explain.ts'
import { type ResolvedSettings, resolveSettings } from './resolve-settings.ts'
import {
  type Setting,
  type SettingKey,
  settingKeys,
  settingsFileJsonSchema,
  settingTable,
} from './setting-table.ts'

interface Given {
  readonly flags?: Partial<Record<SettingKey, string[]>>
  readonly environment?: NodeJS.ProcessEnv
  readonly file?: string
}

function resolve({ flags = {}, environment = {}, file }: Given): ResolvedSettings {
  using folder = temporaryFolder(file === undefined ? {} : { 'settings.yaml': file })
  const { origins, ...resolved } = resolveSettings({
    flags: new Map(Object.entries(flags) as [SettingKey, string[]][]),
    environment,
    file: file === undefined ? null : folder.path('settings.yaml'),
  })
  const named = Object.entries(origins).map(([key, origin]) => [key, origin.replace(`${folder.root}/`, '')])
  return { ...resolved, origins: Object.fromEntries(named) }
}

function refusal(given: Given): string {
  try {
    resolve(given)
    return 'nothing'
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError)
    return (error as Error).message.replace(/\/\S*\/settings\.yaml/, 'settings.yaml')
  }
}

describe('a setting', () => {
  const kinds: [key: SettingKey, file: string, variable: string, flag: string[], values: unknown[]][] = [
    ['listen', 'listen: a:1', 'b:2', ['x:0', 'c:3'], ['127.0.0.1:8060', 'a:1', 'b:2', 'c:3']],
    ['edition', 'edition: main', 'candidate', ['next'], ['candidate', 'main', 'candidate', 'next']],
    ['watch', 'watch: true', 'off', ['true'], [false, true, false, true]],
    ['index_cap', 'index_cap: 5', '6', ['7'], [1_000_000, 5, 6, 7]],
    [
      'config',
      'config: [a.yaml, b.yaml]',
      'c, d ,',
      ['e,f', 'g'],
      [[], ['a.yaml', 'b.yaml'], ['c', 'd'], ['e,f', 'g']],
    ],
    ['snapshot_interval', 'snapshot_interval: 1s', '2s', ['3s'], ['5s', '1s', '2s', '3s']],
    ['log.level', 'log: { level: warn }', 'error', ['fatal'], ['info', 'warn', 'error', 'fatal']],
    ['token_file', 'token_file: /a', '/b', ['/c'], [null, '/a', '/b', '/c']],
  ]
  for (const [key, file, variable, flag, [fallback, fromFile, fromVariable, fromFlag]] of kinds) {
    it(`comes from flag, variable, file or default, in this order: ${key}`, () => {
      const { env, flag: flagName }: Setting = settingTable[key]
      const environment = { [env]: variable }
      const take = (given: Given) => {
        const { written, origins } = resolve(given)
        return [written[key], origins[key]]
      }
      expect(take({})).toEqual([fallback, 'default'])
      expect(take({ file })).toEqual([fromFile, 'settings.yaml'])
      expect(take({ file, environment })).toEqual([fromVariable, env])
      expect(take({ file, environment, flags: { [key]: flag } })).toEqual([fromFlag, `flag --${flagName}`])
    })
  }

  it('has a default that it would accept itself', () => {
    for (const key of settingKeys) {
      const { schema, fallback }: Setting = settingTable[key]
      if (fallback !== null) expect(mistakesOf(schema, fallback)).toEqual([])
    }
  })

  it('has a flag and a variable of its own', () => {
    const table: Setting[] = Object.values(settingTable)
    const flags = table.flatMap(({ flag }) => flag ?? [])
    expect(new Set(flags).size).toBe(flags.length)
    expect(new Set(table.map(({ env }) => env)).size).toBe(table.length)
    for (const { env } of table) expect(env).toMatch(/^PULSEWARD_[A-Z_]+$/)
  })

  it('is parsed into what the service works with, its default as well', () => {
    const environment = { PULSEWARD_LISTEN: '9000', PULSEWARD_ALERT_COOLDOWN: '90s' }
    const { values } = resolve({ environment })
    expect(values.listen).toEqual({ host: '127.0.0.1', port: 9000, written: '9000' })
    expect(values.alert_cooldown).toBe(90_000)
    expect(values['slo.queue_target']).toBe(250)
    expect(values['heartbeat.url']).toBeNull()
    expect(values['metrics.per_monitor']).toBeNull()
    const { values: selecting } = resolve({ file: 'metrics: { per_monitor: "team=payments,!legacy" }' })
    expect(selecting['metrics.per_monitor']).toEqual([
      { key: 'team', is: 'in', values: ['payments'] },
      { key: 'legacy', is: 'absent' },
    ])
  })

  it('counts an empty variable as not given', () => {
    expect(resolve({ environment: { PULSEWARD_LISTEN: '' } }).origins.listen).toBe('default')
  })

  it.each(['1', 'true', 'YES', 'on'])('is switched on by %s', (text) => {
    expect(resolve({ environment: { PULSEWARD_WATCH: text } }).values.watch).toBe(true)
  })
})

describe('a mistake in settings', () => {
  const table: Record<string, [given: Given, message: string]> = {
    'a value that is none of those allowed': [
      { flags: { edition: ['mian'] } },
      '--edition: "mian" is not allowed here; use one of main, candidate, next. Did you mean "main"?',
    ],
    'a word for a number': [
      { flags: { index_cap: ['many'] } },
      '--index-cap: must be a whole number from 1 to 4294967295, not "many".',
    ],
    'a number out of range': [
      { environment: { PULSEWARD_PROBE_THREADS: '65' } },
      'PULSEWARD_PROBE_THREADS: must be a whole number from 1 to 64, not 65.',
    ],
    'a word for a switch': [
      { environment: { PULSEWARD_WATCH: 'maybe' } },
      'PULSEWARD_WATCH: must be true or false, not "maybe".',
    ],
    'a duration without a unit': [
      { flags: { snapshot_interval: ['5'] } },
      '--snapshot-interval: "5" needs a unit: write 5s if seconds are meant.',
    ],
    'an address that cannot be listened on': [
      { flags: { listen: ['here'] } },
      '"here" is not an address to listen on; write address:port, such as 127.0.0.1:8060 or [::1]:8060.',
    ],
    'a selector that is none': [
      { environment: { PULSEWARD_METRICS_PER_MONITOR: 'team=payments,tier in (' } },
      'metrics.per_monitor: the selector "team=payments,tier in (" has no clause at place 2; write key=value, key!=value, key, !key, key in (a,b) or key notin (a,b).',
    ],
    'a selector of nothing but blanks': [
      { file: 'metrics: { per_monitor: "  " }\n' },
      'metrics.per_monitor: the selector is blank; write one such as team=payments.',
    ],
    'a setting that does not exist': [
      { file: 'lisen: 127.0.0.1:1\n' },
      'settings.yaml: there is no setting "lisen". Did you mean "listen"?',
    ],
    'a setting that does not exist in its section': [
      { file: 'log:\n  levle: info\n' },
      'settings.yaml: there is no setting "log.levle". Did you mean "log.level"?',
    ],
    'a section that does not exist': [
      { file: 'netwrok:\n  resolver: []\n' },
      'settings.yaml: there is no setting "netwrok". Did you mean "network"?',
    ],
    'a section that is none': [
      { file: 'log: info\n' },
      'settings.yaml: "log" is a mapping of settings, such as log.level.',
    ],
    'a wrong value in the file': [
      { file: 'proxies: [a, 5]\n' },
      'settings.yaml: proxies.1: must be text, not 5; expected: text.',
    ],
    'a file that is no mapping': [
      { file: '- listen\n' },
      'settings.yaml: a settings file is a mapping of settings to values.',
    ],
    'a second document': [
      { file: 'watch: true\n---\nlisten: a:1\n' },
      'settings.yaml: a settings file has one document, not several.',
    ],
    'a setting that stands twice': [
      { file: 'watch: true\nwatch: false\n' },
      'settings.yaml:2: duplicated mapping key.',
    ],
    'a file that is no YAML': [{ file: 'a: [\n' }, expect.stringMatching(/^settings\.yaml:\d: .*\.$/)],
  }
  for (const [title, [given, message]] of Object.entries(table)) {
    it(`is one sentence with where it stands: ${title}`, () => expect(refusal(given)).toEqual(message))
  }

  it('is told also when a better source makes the value irrelevant', () => {
    const given = { file: 'index_cap: lots\n', flags: { index_cap: ['5'] } }
    expect(refusal(given)).toBe(
      'settings.yaml: index_cap: must be a whole number from 1 to 4294967295, not "lots".',
    )
  })

  it('is a file that cannot be read', () => {
    const read = (file: string) => () => resolveSettings({ flags: new Map(), environment: {}, file })
    using folder = temporaryFolder()
    expect(read(folder.path('none.yaml'))).toThrow(
      /^The settings file .*none\.yaml cannot be read \(ENOENT\)\.$/,
    )
    expect(read(folder.root)).toThrow(/cannot be read \(EISDIR\)\.$/)
  })
})

describe('the settings file', () => {
  it('may be empty', () => expect(resolve({ file: '# nothing yet\n' }).values).toEqual(resolve({}).values))

  it('may be JSON', () => {
    expect(resolve({ file: '{"log": {"level": "warn"}, "watch": true}' }).values).toMatchObject({
      'log.level': 'warn',
      watch: true,
    })
  })

  it('has a schema for editors in which every setting stands', () => {
    const { properties } = settingsFileJsonSchema() as { properties: Record<string, { properties?: object }> }
    for (const key of settingKeys) {
      const [section, name] = key.split('.') as [string, string?]
      expect(name === undefined ? properties[section] : properties[section]?.properties).toBeDefined()
      if (name !== undefined) expect(properties[section]!.properties).toHaveProperty(name)
    }
  })
})

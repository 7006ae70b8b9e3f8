// config/settings/resolve-settings.ts: decides which value of a setting is in force, and where it comes from.
// Flags beat the environment, which beats the runtime file, which beats the defaults. Every mistake is an
// error: an invalid setting never falls back silently.
import { readFileSync } from 'node:fs'
import { loadAll } from 'js-yaml'
import { didYouMean } from '../../platform/nearest-name.ts'
import { UsageError } from '../../platform/usage-error.ts'
import { mistakesOf } from '../shape/explain.ts'
import { type Setting, type SettingKey, type Settings, settingKeys, settingTable } from './setting-table.ts'

export interface SettingSources {
  /** Values by setting, as typed on the command line. */
  readonly flags: ReadonlyMap<SettingKey, readonly string[]>
  readonly environment: NodeJS.ProcessEnv
  /** Path of the runtime file. */
  readonly file: string | null
}

export interface ResolvedSettings {
  readonly values: Settings
  /** The same values as they were written, for `pulseward settings`. */
  readonly written: Readonly<Record<SettingKey, unknown>>
  /** For display: "flag --listen", "PULSEWARD_LISTEN", "settings.yaml" or "default". */
  readonly origins: Readonly<Record<SettingKey, string>>
}

export function resolveSettings({ flags, environment, file }: SettingSources): ResolvedSettings {
  const fromFile = file === null ? new Map<SettingKey, unknown>() : readSettingsFile(file)
  const values: Partial<Record<SettingKey, unknown>> = {}
  const written: Partial<Record<SettingKey, unknown>> = {}
  const origins: Partial<Record<SettingKey, string>> = {}
  for (const key of settingKeys) {
    const setting: Setting = settingTable[key]
    const [text, origin] = pick(key, setting, flags, environment, fromFile, file)
    written[key] = text === null || setting.shown === undefined ? text : setting.shown(text)
    values[key] = text === null || setting.parse === undefined ? text : setting.parse(text)
    origins[key] = origin
  }
  return {
    values: values as Settings,
    written: written as Record<SettingKey, unknown>,
    origins: origins as Record<SettingKey, string>,
  }
}

function pick(
  key: SettingKey,
  setting: Setting,
  flags: SettingSources['flags'],
  environment: NodeJS.ProcessEnv,
  fromFile: ReadonlyMap<SettingKey, unknown>,
  file: string | null,
): [unknown, string] {
  const flag = flags.get(key)
  if (flag !== undefined) return [parseText(setting, flag, `--${setting.flag}`), `flag --${setting.flag}`]
  const variable = environment[setting.env]
  if (variable !== undefined && variable !== '')
    return [parseText(setting, isList(setting) ? variable.split(',') : [variable], setting.env), setting.env]
  if (file !== null && fromFile.has(key)) return [fromFile.get(key), file]
  return [setting.fallback, 'default']
}

function isList({ schema }: Setting): boolean {
  return (schema as { type?: string }).type === 'array'
}

/** Parses text as the type of the setting. A list is several flags, or one variable with commas. */
function parseText(setting: Setting, texts: readonly string[], source: string): unknown {
  const { type } = setting.schema as { type?: string }
  const text = texts.at(-1) ?? ''
  let value: unknown = text
  if (isList(setting)) value = texts.map((part) => part.trim()).filter((part) => part !== '')
  else if (type === 'boolean') value = truth.get(text.toLowerCase()) ?? text
  else if (type === 'integer' && /^[0-9]+$/.test(text)) value = Number(text)
  const [mistake] = mistakesOf(setting.schema, value)
  if (mistake !== undefined) throw new UsageError(`${source}: ${mistake.message}`)
  return value
}

const truth = new Map([
  ['1', true],
  ['true', true],
  ['yes', true],
  ['on', true],
  ['0', false],
  ['false', false],
  ['no', false],
  ['off', false],
])

function readSettingsFile(file: string): Map<SettingKey, unknown> {
  let documents: unknown[]
  try {
    documents = loadAll(readFileSync(file, 'utf8'))
  } catch (error) {
    const { code, reason, mark } = error as { code?: string; reason?: string; mark?: { line: number } }
    if (reason !== undefined)
      throw new UsageError(`${file}:${(mark?.line ?? 0) + 1}: ${reason}.`, { cause: error })
    throw new UsageError(`The settings file ${file} cannot be read (${code}).`, { cause: error })
  }
  if (documents.length > 1) throw new UsageError(`${file}: a settings file has one document, not several.`)
  const values = new Map<SettingKey, unknown>()
  for (const [key, value] of flatten(file, documents[0] ?? {})) {
    if (!Object.hasOwn(settingTable, key))
      throw new UsageError(
        `${file}: there is no setting "${key}".${didYouMean(key, [...settingKeys, ...sections])}`,
      )
    const setting: Setting = settingTable[key as SettingKey]
    const [mistake] = mistakesOf(setting.schema, value)
    if (mistake !== undefined)
      throw new UsageError(`${file}: ${[key, ...mistake.path].join('.')}: ${mistake.message}`)
    values.set(key as SettingKey, value)
  }
  return values
}

const sections = new Set(settingKeys.flatMap((key) => /^(.*)\./.exec(key)?.[1] ?? []))

function* flatten(file: string, document: unknown): Generator<[string, unknown]> {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    throw new UsageError(`${file}: a settings file is a mapping of settings to values.`)
  }
  for (const [key, value] of Object.entries(document)) {
    if (!sections.has(key)) yield [key, value]
    else if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new UsageError(
        `${file}: "${key}" is a mapping of settings, such as ${settingKeys.find((name) => name.startsWith(`${key}.`))}.`,
      )
    } else for (const [name, inner] of Object.entries(value)) yield [`${key}.${name}`, inner]
  }
}

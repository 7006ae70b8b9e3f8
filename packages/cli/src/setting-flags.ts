// setting-flags.ts: the flags for settings, generated from the table of settings.
import {
  type ResolvedSettings,
  resolveSettings,
  type Setting,
  type SettingKey,
  settingKeys,
  settingTable,
  UsageError,
} from '@pulseward/server'
import { type FlagSpec, lastValue, type ParsedArguments } from './arguments.ts'

const keyOfFlag = new Map<string, SettingKey>()
for (const key of settingKeys) {
  const { flag }: Setting = settingTable[key]
  if (flag !== undefined) keyOfFlag.set(flag, key)
}

export const settingFlags: Readonly<Record<string, FlagSpec>> = {
  settings: {
    kind: 'value',
    valueName: 'FILE',
    summary: 'Runtime file with settings; PULSEWARD_SETTINGS does the same.',
  },
  ...Object.fromEntries([...keyOfFlag].map(([flag, key]) => [flag, flagSpec(settingTable[key])])),
}

function flagSpec({ schema, summary, fallback, env }: Setting): FlagSpec {
  const { type, enum: all, examples } = schema as { type?: string; enum?: string[]; examples?: string[] }
  const values = all ?? examples
  const shown =
    fallback === null || fallback === false || (Array.isArray(fallback) && fallback.length === 0)
      ? ''
      : ` Default ${fallback}.`
  return {
    kind: type === 'boolean' ? 'switch' : 'value',
    ...(values === undefined
      ? { valueName: type === 'integer' ? 'N' : type === 'array' ? 'PATH' : 'VALUE' }
      : { values }),
    summary: `${summary}${shown} (${env})`,
  }
}

export function settingsFrom(parsed: ParsedArguments, environment: NodeJS.ProcessEnv): ResolvedSettings {
  if (parsed.operands.length > 0)
    throw new UsageError(`"${parsed.operands[0]}" is not expected here; fleet files are given with --config.`)
  const flags = new Map<SettingKey, readonly string[]>()
  for (const [flag, values] of parsed.flags) {
    const key = keyOfFlag.get(flag)
    if (key !== undefined) flags.set(key, values)
  }
  const file = lastValue(parsed, 'settings') ?? (environment['PULSEWARD_SETTINGS'] || null)
  return resolveSettings({ flags, environment, file })
}
